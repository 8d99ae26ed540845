import { RSS, rssOf } from '#libs/channels/syndication/rss.js';
import { read } from '#libs/endpoints/read.js';
import { JOB_CHANNEL, jobChannel } from './job-channel.js';

const PATH = '/jobs.rss';

export const jobsRss = read('jobs_rss', {
  path: PATH,
  ...RSS,
  ...JOB_CHANNEL,
  doc: { tag: 'Feeds', summary: 'The open jobs as RSS 2.0, newest first' },
  find: async ({ skill }, uses) => rssOf(await jobChannel(PATH, skill, uses)),
});
