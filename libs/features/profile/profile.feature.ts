import { feature } from '#libs/verbs/feature.js';
import { FeedItems } from '#libs/views/feed-items.js';
import { activity } from './activity.js';
import { muse } from './muse.js';
import { updateProfile } from './update-profile.js';

export const profile = feature('profile', {
  verbs: [updateProfile],
  reads: [muse, activity],
  providers: [FeedItems],
});
