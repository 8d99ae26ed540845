import { JSON_FEED, jsonFeedOf } from '#libs/channels/syndication/json-feed.js';
import { read } from '#libs/endpoints/read.js';
import { NEWS_CHANNEL, newsChannel } from './news-channel.js';

const PATH = '/feed.feed.json';

export const newsFeed = read('news_feed', {
  path: PATH,
  ...JSON_FEED,
  ...NEWS_CHANNEL,
  doc: { tag: 'Feeds', summary: 'What has happened, newest first, as JSON Feed 1.1' },
  find: async (asked, uses) => jsonFeedOf(await newsChannel(PATH, asked, uses)),
});
