import { feature } from '#libs/endpoints/feature.js';
import { handedOut, inbox as readInbox } from './inbox.js';
import { InboxPages } from './inbox-pages.js';
import { InboxTexts } from '#libs/features/inbox/views/inbox-texts.js';
import { InboxWaits } from './inbox-waits.js';

export const inbox = feature('inbox', {
  asks: [readInbox],
  decisions: [handedOut],
  providers: [InboxPages, InboxTexts, InboxWaits],
});
