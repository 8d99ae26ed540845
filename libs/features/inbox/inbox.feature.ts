import { feature } from '#libs/endpoints/feature.js';
import { inboxDecision, inbox as readInbox } from './inbox.js';
import { InboxPages } from './inbox-pages.js';
import { InboxTexts } from './views/inbox-texts.js';
import { InboxWaits } from './inbox-waits.js';

export const inbox = feature('inbox', {
  privateQueries: [readInbox],
  decisions: [inboxDecision],
  providers: [InboxPages, InboxTexts, InboxWaits],
});
