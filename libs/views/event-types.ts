import * as d from './document-schema.js';
import { defineWholeLogProjection } from './projection.js';

export const EVENT_TYPES_ID = 'all';

export const EventTypesDocument = d.object({ versions: d.mapOf(d.list(d.integer)) });
export type EventTypesDocument = d.DocumentOf<typeof EventTypesDocument>;

const NO_EVENT_TYPES: EventTypesDocument = { versions: {} };

/** Types and versions of the events in the log. An unknown one was written by a newer version of the service. */
export const EventTypesView = defineWholeLogProjection<typeof EventTypesDocument>({
  name: 'event_types',
  version: 1,
  shape: 'd8818f83',
  document: EventTypesDocument,
  id: EVENT_TYPES_ID,
  evolve: (document = NO_EVENT_TYPES, { type, version }) => {
    const versions = document.versions[type] ?? [];
    if (versions.includes(version)) return document;
    return { versions: { ...document.versions, [type]: [...versions, version].sort((a, b) => a - b) } };
  },
});
