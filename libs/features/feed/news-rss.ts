import { defineQuery } from '#libs/endpoints/declare.js';
import { RSS, renderRss } from '#libs/channels/syndication/rss.js';
import { NEWS_CHANNEL, newsChannel } from './news-channel.js';

const PATH = '/feed.rss';

export const newsRss = defineQuery('news_rss', {
  path: PATH,
  ...RSS,
  ...NEWS_CHANNEL,
  doc: { tag: 'Feeds', summary: 'Get the feed as RSS' },
  find: async (filters, uses) => renderRss(await newsChannel(PATH, filters, uses)),
});
