import { type Position, POSITION_WIDTH } from '#libs/kernel/event.js';
import { defineEvent, type EventOf, defineStream } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';

/**
 * A muse was handed the items of its inbox behind `after`, up to `upto`: places in its inbox, `after` empty for its
 * beginning. `applications` are those that it saw by this, as `<role>:<muse_id>`.
 */
export const InboxHandedOut = defineEvent(
  'InboxHandedOut',
  {
    muse_id: f.clear(f.museId),
    after: f.clear(f.text),
    upto: f.clear(f.text),
    applications: f.clear(f.list(f.text)),
  },
  { privateType: true, askedFor: 'inbox' },
);

/** How far a muse has read its inbox, as its stream `inbox-<muse>` says. */
export interface Inbox {
  readonly upto: string;
}

export const Inbox = defineStream('inbox', {
  key: (museId: string) => museId,
  events: [InboxHandedOut],
  initial: { upto: '' },
  evolve: (_inbox: Inbox, { data, position }: EventOf<typeof InboxHandedOut>): Inbox => ({
    upto: rebasePlace(data.upto, position),
  }),
});

/** Between a place's position and the name of the item that stands there. */
export const PLACE_SEPARATOR = ' ';
/** Sorts behind every name of an item. */
export const LAST_NAME = '\uffff';

/**
 * Places name positions, which are another log's once the events were restored into another store: one that stands
 * behind its own event can be of no item that is there. What came before the event counts as read then, and what comes
 * is told.
 */
const rebasePlace = (place: string, position: Position) =>
  place.slice(0, POSITION_WIDTH) > position ? position + PLACE_SEPARATOR + LAST_NAME : place;
