import { RSS, rssOf } from '#libs/channels/syndication/rss.js';
import { read } from '#libs/endpoints/read.js';
import { NEWS_CHANNEL, newsChannel } from './news-channel.js';

const PATH = '/feed.rss';

export const newsRss = read('news_rss', {
  path: PATH,
  ...RSS,
  ...NEWS_CHANNEL,
  doc: { tag: 'Feeds', summary: 'What has happened, newest first, as RSS 2.0' },
  find: async (asked, uses) => rssOf(await newsChannel(PATH, asked, uses)),
});
