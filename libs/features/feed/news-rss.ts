import { RSS, renderRss } from '#libs/channels/syndication/rss.js';
import { defineQuery } from '#libs/endpoints/query.js';
import { NEWS_CHANNEL, newsChannel } from './news-channel.js';

const PATH = '/feed.rss';

export const newsRss = defineQuery('news_rss', {
  path: PATH,
  ...RSS,
  ...NEWS_CHANNEL,
  doc: { tag: 'Feeds', summary: 'What has happened, newest first, as RSS 2.0' },
  find: async (asked, uses) => renderRss(await newsChannel(PATH, asked, uses)),
});
