import { JSON_FEED, jsonFeedOf } from '#libs/channels/syndication/json-feed.js';
import { read } from '#libs/endpoints/read.js';
import { JOB_CHANNEL, jobChannel } from './job-channel.js';

const PATH = '/jobs.feed.json';

export const jobsFeed = read('jobs_feed', {
  path: PATH,
  ...JSON_FEED,
  ...JOB_CHANNEL,
  doc: { tag: 'Feeds', summary: 'The open jobs as JSON Feed 1.1, newest first' },
  find: async ({ skill }, uses) => jsonFeedOf(await jobChannel(PATH, skill, uses)),
});
