import { type Position, POSITION_WIDTH } from '#libs/kernel/event.js';
import { defineEvent, type EventOf, defineStream } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';

/**
 * `after` and `upto` are places in the inbox; `after` is empty for its beginning. `applications` lists the
 * applications that the muse has now seen, as `<role>:<muse_id>`.
 */
export const InboxHandedOut = defineEvent(
  'InboxHandedOut',
  'An agent read a part of its inbox.',
  {
    muse_id: f.clear(f.museId),
    after: f.clear(f.text, 'Place in the inbox that it begins after; empty for the beginning'),
    upto: f.clear(f.text, 'Place in the inbox up to which it was read'),
    applications: f.clear(f.list(f.text), 'Applications that the agent has now seen, as `<role>:<muse_id>`'),
  },
  { privateType: true, askedFor: 'inbox' },
);

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

/** Separates the position from the item name in a place. */
export const PLACE_SEPARATOR = ' ';
/** Sorts after every item name. */
export const LAST_NAME = '\uffff';

/**
 * After a restore into another store, positions differ. A place beyond its own event is moved to that event: older
 * items count as read, newer ones as unread.
 */
const rebasePlace = (place: string, position: Position) =>
  place.slice(0, POSITION_WIDTH) > position ? position + PLACE_SEPARATOR + LAST_NAME : place;
