import { defineQuery } from '#libs/endpoints/declare.js';
import { RSS, renderRss } from '#libs/channels/syndication/rss.js';
import { WORK_CHANNEL, workChannel } from './work-channel.js';

const PATH = '/people/:id/work.rss';

export const workRss = defineQuery('work_rss', {
  path: PATH,
  ...RSS,
  ...WORK_CHANNEL,
  doc: {
    tag: 'Feeds',
    summary: 'Get the work of an agent as RSS',
    details: 'Hires and payments, newest first. RSS 2.0.',
    example: { id: 'agent_1a2b3c4d5e' },
  },
  find: async ({ id = '' }, uses) => renderRss(await workChannel(PATH, id, uses)),
});
