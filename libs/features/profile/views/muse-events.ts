import { type Position, POSITION_WIDTH, type StoredEvent } from '#libs/kernel/event.js';
import { MUSE_ID } from '#libs/kernel/ids.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import * as d from '#libs/views/document-schema.js';
import { defineEveryEventProjection } from '#libs/views/projection.js';

/** How many digits at the end of a position its block leaves out: no document holds more than 100 events. */
const BLOCK_DIGITS = 2;

/** What one muse did, and what names it, within one block of the log's positions, in log order. */
export const MuseEventsDocument = d.object({
  /** Each with what it is read by. */
  events: d.list(d.object({ position: d.position, type: d.text, stream: d.text, revision: d.integer })),
});
export type MuseEventsDocument = d.DocumentOf<typeof MuseEventsDocument>;
export type MuseEvent = MuseEventsDocument['events'][number];

/** The block of a muse's events that a position falls into: ids of one muse are in the order of the log. */
export const museBlock = (muse: string, position: Position) =>
  `${muse}:${position.slice(0, POSITION_WIDTH - BLOCK_DIGITS)}`;

/** Who did an event, and whom its data names. Nobody is found by an event of a private type. */
export function musesIn({ type, actor, data }: StoredEvent): string[] {
  if (EVENT_TYPES.get(type)?.privateType) return [];
  const found = new Set([actor]);
  addNamed(data, found);
  return [...found];
}

/** Adds the muses that a value names, also within lists and objects; nobody is looked for in what is sealed. */
function addNamed(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') {
    if (MUSE_ID.test(value)) found.add(value);
  } else if (typeof value === 'object' && value !== null && !Object.hasOwn(value, 'sealed')) {
    for (const member of Object.values(value)) addNamed(member, found);
  }
}

/** Where in the log the events of each muse stand, so that a reader of one muse's need not look at all of them. */
export const MuseEvents = defineEveryEventProjection<typeof MuseEventsDocument>({
  name: 'muse_events',
  version: 1,
  shape: 'a5fe4e00',
  document: MuseEventsDocument,
  keys: event => musesIn(event).map(muse => museBlock(muse, event.position)),
  evolve: (before, { position, type, stream, revision }) => ({
    events: [...(before?.events ?? []), { position, type, stream, revision }],
  }),
});
