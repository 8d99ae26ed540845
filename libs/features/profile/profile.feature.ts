import { feature } from '#libs/endpoints/feature.js';
import { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { activity } from './activity.js';
import { muse } from './muse.js';
import { projectPage } from './project-page.js';
import { projects } from './projects.js';
import { workFeed, workRss } from './work-feeds.js';

export const profile = feature('profile', {
  queries: [muse, activity, workFeed, workRss, projects, projectPage],
  providers: [FeedItems],
});
