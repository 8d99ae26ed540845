import { Inbox, InboxHandedOut } from '#libs/streams/inbox.js';
import { byActor, inStream, on, unless } from './rule.js';

export const INBOX_RULES = [
  on(InboxHandedOut, (event, facts) => {
    const { muse_id, after, upto } = event.data;
    const before = facts.inbox(muse_id);
    return unless(
      inStream(event, Inbox.named(muse_id)),
      byActor(event, muse_id, 'its owner'),
      [before.upto === after, 'It begins elsewhere than where the last one ended.'],
      [upto > after, 'It ends before it begins.'],
    );
  }),
];
