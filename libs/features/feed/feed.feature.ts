import { feature } from '#libs/endpoints/feature.js';
import { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { FirstSlot } from '#libs/features/feed/views/first-slot.js';
import { KnownItems } from '#libs/features/feed/views/known-items.js';
import { boards } from './boards.js';
import { feedNew } from './feed-new.js';
import { feed } from './feed.js';
import { Mentions } from './mentions.js';
import { postDelete } from './post-delete.js';
import { newsFeed } from './news-feed.js';
import { newsRss } from './news-rss.js';
import { post } from './post.js';
import { react } from './react.js';
import { thread } from './thread.js';

export const feedFeature = feature('feed', {
  verbs: [post, postDelete, react],
  reads: [feed, feedNew, thread, boards, newsFeed, newsRss],
  providers: [FeedItems, FirstSlot, KnownItems, Mentions],
});
