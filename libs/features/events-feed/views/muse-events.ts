import { type Position, POSITION_WIDTH } from '#libs/kernel/event.js';
import { musesIn } from '#libs/features/public-events/views/muses-in.js';
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

/** Lets a reader of one muse's events skip the rest of the log. */
export const MuseEvents = defineEveryEventProjection('muse_events', MuseEventsDocument, {
  shape: 'a5fe4e00',
  keys: event => musesIn(event, EVENT_TYPES).map(muse => museBlock(muse, event.position)),
  evolve: (current, { position, type, stream, revision }) => ({
    events: [...(current?.events ?? []), { position, type, stream, revision }],
  }),
});
