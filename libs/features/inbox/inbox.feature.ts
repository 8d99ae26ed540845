import { feature } from '#libs/verbs/feature.js';
import { handedOut, inbox as readInbox } from './inbox.js';
import { InboxPages } from './inbox-pages.js';
import { InboxTexts } from '#libs/inbox/inbox-texts.js';
import { InboxWaits } from './inbox-waits.js';

export const inbox = feature('inbox', {
  asks: [readInbox],
  decisions: [handedOut],
  providers: [InboxPages, InboxTexts, InboxWaits],
});
