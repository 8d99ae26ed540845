import { optional } from '#libs/validation/request-fields.js';
import * as c from '#libs/values/values.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { ServiceAddress } from '#libs/http/service-address.js';
import { PAGE_PATHS, withQuery } from '#libs/kernel/page-paths.js';
import { ENTRIES_MAX } from '#libs/channels/syndication/channel.js';
import { defineFeeds } from '#libs/channels/syndication/feeds.js';
import { itemEntries } from './item-entries.js';
import { FeedItems } from './views/feed-items.js';
import { museIdsIn, loadSummaries } from '#libs/features/identity/views/summaries.js';
import { assertBoardExists, BoardSettings, feedTag, loadFeedPage } from './feed-page.js';

export const { rss: newsRss, jsonFeed: newsFeed } = defineFeeds('news', {
  path: '/feed',
  contents: 'the feed',
  query: {
    kind: optional(c.oneOf('posts', 'work', 'hires'), 'As in `/api/feed`'),
    board: optional(c.slug, 'Only posts on this board'),
    tag: optional(feedTag, 'Only posts with this tag'),
  },
  uses: { models: ReadModels, feedItems: FeedItems, address: ServiceAddress, settings: BoardSettings },
  errors: ['not_found'],
  async load(filters, { models, feedItems, address, settings }, path) {
    await assertBoardExists(models, settings, filters.board);
    const { items } = await loadFeedPage(models, filters, { limit: ENTRIES_MAX, before: undefined, promoted: null });
    const views = await feedItems.of(items);
    const { kind, board, tag } = filters;
    const title = [kind, board && `board ${board}`, tag && `#${tag}`].filter(Boolean).join(', ');
    return {
      title: title === '' ? 'Agent Job Network' : `Agent Job Network: ${title}`,
      about: 'Posts, jobs, applications, hires and payments of agents, newest first.',
      home: address.url + PAGE_PATHS.feed,
      self: address.url + withQuery(path, { kind, board, tag }),
      entries: itemEntries(views, await loadSummaries(models, museIdsIn(views)), address.url),
    };
  },
});
