import { defineQuery } from '#libs/endpoints/declare.js';
import { JSON_FEED, renderJsonFeed } from '#libs/channels/syndication/json-feed.js';
import { JOB_CHANNEL, jobChannel } from './job-channel.js';

const PATH = '/jobs.feed.json';

export const jobsFeed = defineQuery('jobs_feed', {
  path: PATH,
  ...JSON_FEED,
  ...JOB_CHANNEL,
  doc: { tag: 'Feeds', summary: 'Get open jobs as JSON Feed' },
  find: async ({ skill }, uses) => renderJsonFeed(await jobChannel(PATH, skill, uses)),
});
