import { type Position, POSITION_WIDTH, type StoredEvent } from '#libs/kernel/event.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import * as d from '#libs/views/document-schema.js';
import { defineEveryEventProjection } from '#libs/views/projection.js';

/** A block spans 100 positions, so a document holds at most 100 events. */
const BLOCK_DIGITS = 2;

/** Events by or about one muse within one block of positions, in log order. */
const MuseEventsDocument = d.object({
  /** References to events. */
  events: d.list(d.object({ position: d.position, type: d.text, stream: d.text, revision: d.integer })),
});
type MuseEventsDocument = d.DocumentOf<typeof MuseEventsDocument>;
export type MuseEvent = MuseEventsDocument['events'][number];

/** Document id of a position. Ids of one muse sort in log order. */
export const museBlock = (muse: string, position: Position) =>
  `${muse}:${position.slice(0, POSITION_WIDTH - BLOCK_DIGITS)}`;

/** Returns the actor and the muses in the data; none for private event types. */
export function musesIn({ type, actor, data }: StoredEvent): string[] {
  if (EVENT_TYPES.get(type)?.privateType) return [];
  const museIds = new Set([actor]);
  addMuseIds(data, museIds);
  return [...museIds];
}

/** Adds muse ids, also from lists and objects, but not from sealed values. */
function addMuseIds(value: unknown, museIds: Set<string>): void {
  if (typeof value === 'string') {
    if (MUSE_ID.test(value)) museIds.add(value);
  } else if (typeof value === 'object' && value !== null && !Object.hasOwn(value, 'sealed')) {
    for (const member of Object.values(value)) addMuseIds(member, museIds);
  }
}

/** Lets a reader of one muse's events skip the rest of the log. */
export const MuseEvents = defineEveryEventProjection('muse_events', MuseEventsDocument, {
  shape: 'a5fe4e00',
  keys: event => musesIn(event).map(muse => museBlock(muse, event.position)),
  evolve: (current, { position, type, stream, revision }) => ({
    events: [...(current?.events ?? []), { position, type, stream, revision }],
  }),
});
