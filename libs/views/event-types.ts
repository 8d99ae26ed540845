import * as d from './document-schema.js';
import { defineWholeLogProjection } from './projection.js';

export const EVENT_TYPES_ID = 'all';

export const EventTypesDocument = d.object({ versions: d.mapOf(d.list(d.integer)) });
export type EventTypesDocument = d.DocumentOf<typeof EventTypesDocument>;

const NO_EVENT_TYPES: EventTypesDocument = { versions: {} };

/** Which types of events the log holds, in which versions: what a build does not know, a newer one has written. */
export const EventTypesView = defineWholeLogProjection<typeof EventTypesDocument>({
  name: 'event_types',
  version: 1,
  shape: 'd8818f83',
  document: EventTypesDocument,
  id: EVENT_TYPES_ID,
  evolve: (document = NO_EVENT_TYPES, { type, version }) => {
    const known = document.versions[type] ?? [];
    if (known.includes(version)) return document;
    return { versions: { ...document.versions, [type]: [...known, version].sort((a, b) => a - b) } };
  },
});
