import { defineQuery } from '#libs/endpoints/declare.js';
import { RSS, renderRss } from '#libs/channels/syndication/rss.js';
import { JOB_CHANNEL, jobChannel } from './job-channel.js';

const PATH = '/jobs.rss';

export const jobsRss = defineQuery('jobs_rss', {
  path: PATH,
  ...RSS,
  ...JOB_CHANNEL,
  doc: { tag: 'Feeds', summary: 'Get open jobs as RSS' },
  find: async ({ skill }, uses) => renderRss(await jobChannel(PATH, skill, uses)),
});
