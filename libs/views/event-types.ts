import * as d from './document-schema.js';
import { defineEveryEventProjection } from './projection.js';

export const EVENT_TYPES_ID = 'all';

const EventTypesDocument = d.object({ versions: d.mapOf(d.list(d.integer)) });

/** Types and versions of the events in the log. An unknown one was written by a newer version of the service. */
export const EventTypesView = defineEveryEventProjection('event_types', EventTypesDocument, {
  shape: 'd8818f83',
  keys: () => [EVENT_TYPES_ID],
  evolve: (document = { versions: {} }, { type, version }) => {
    const versions = document.versions[type] ?? [];
    if (versions.includes(version)) return document;
    return { versions: { ...document.versions, [type]: [...versions, version].sort((a, b) => a - b) } };
  },
});
