import { feature } from '#libs/verbs/feature.js';
import { FeedItems } from '#libs/views/feed-items.js';
import { activity } from './activity.js';
import { keys } from './keys.js';
import { muse } from './muse.js';
import { updateProfile } from './update-profile.js';
import { countViews, ViewCounter } from './view-counter.js';

export const profile = feature('profile', {
  verbs: [updateProfile],
  reads: [muse, activity, keys],
  decisions: [countViews],
  providers: [FeedItems, ViewCounter],
});
