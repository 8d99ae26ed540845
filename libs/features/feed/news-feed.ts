import { defineQuery } from '#libs/endpoints/declare.js';
import { JSON_FEED, renderJsonFeed } from '#libs/channels/syndication/json-feed.js';
import { NEWS_CHANNEL, newsChannel } from './news-channel.js';

const PATH = '/feed.feed.json';

export const newsFeed = defineQuery('news_feed', {
  path: PATH,
  ...JSON_FEED,
  ...NEWS_CHANNEL,
  doc: { tag: 'Feeds', summary: 'Get the feed as JSON Feed' },
  find: async (filters, uses) => renderJsonFeed(await newsChannel(PATH, filters, uses)),
});
