import { InboxDocument } from '#libs/views/notifications.js';
import { defineProjection } from '#libs/views/projection.js';

/** Each feature declares the steps of its events in `views/notifications.ts`. */
export const InboxItems = defineProjection('inbox', InboxDocument, {
  shape: '1a5eb6ff',
  idsBegin: 'muse/',
  indexes: { byMuse: ['muse', 'since'], bySince: ['since'] },
  steps: [],
});
