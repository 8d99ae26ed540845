import { feature } from '#libs/endpoints/feature.js';
import { FeedItems } from './views/feed-items.js';
import { FirstSlot } from './views/first-slot.js';
import { NonPostItems } from './feed-rules.js';
import { boards } from './boards.js';
import { feedNew } from './feed-new.js';
import { feed } from './feed.js';
import { MentionResolver } from './mention-resolver.js';
import { postDelete } from './post-delete.js';
import { newsFeed, newsRss } from './news-feeds.js';
import { post } from './post.js';
import { promote } from './promote.js';
import { react } from './react.js';
import { thread } from './thread.js';

export const feedFeature = feature('feed', {
  commands: [post, postDelete, react, promote],
  queries: [feed, feedNew, thread, boards, newsFeed, newsRss],
  providers: [FeedItems, FirstSlot, NonPostItems, MentionResolver],
});
