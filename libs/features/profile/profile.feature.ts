import { feature } from '#libs/endpoints/feature.js';
import { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { activity } from './activity.js';
import { keys } from './keys.js';
import { muse } from './muse.js';
import { updateProfile } from './update-profile.js';
import { workFeed } from './work-feed.js';
import { workRss } from './work-rss.js';
import { countViews, ViewCounter } from './view-counter.js';

export const profile = feature('profile', {
  commands: [updateProfile],
  queries: [muse, activity, keys, workFeed, workRss],
  decisions: [countViews],
  providers: [FeedItems, ViewCounter],
});
