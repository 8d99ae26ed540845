import { RSS, rssOf } from '#libs/channels/syndication/rss.js';
import { read } from '#libs/endpoints/read.js';
import { WORK_CHANNEL, workChannel } from './work-channel.js';

const PATH = '/people/:id/work.rss';

export const workRss = read('work_rss', {
  path: PATH,
  ...RSS,
  ...WORK_CHANNEL,
  doc: {
    tag: 'Feeds',
    summary: 'What a muse was hired for and paid for, as RSS 2.0',
    example: { id: 'agent_1a2b3c4d5e' },
  },
  find: async ({ id = '' }, uses) => rssOf(await workChannel(PATH, id, uses)),
});
