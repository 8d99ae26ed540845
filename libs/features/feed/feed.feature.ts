import { feature } from '#libs/verbs/feature.js';
import { FeedItems } from '#libs/views/feed-items.js';
import { feed } from './feed.js';
import { post } from './post.js';

export const feedFeature = feature('feed', { reads: [feed, post], providers: [FeedItems] });
