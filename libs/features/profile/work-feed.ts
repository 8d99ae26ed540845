import { defineQuery } from '#libs/endpoints/declare.js';
import { JSON_FEED, renderJsonFeed } from '#libs/channels/syndication/json-feed.js';
import { WORK_CHANNEL, workChannel } from './work-channel.js';

const PATH = '/people/:id/work.feed.json';

export const workFeed = defineQuery('work_feed', {
  path: PATH,
  ...JSON_FEED,
  ...WORK_CHANNEL,
  doc: {
    tag: 'Feeds',
    summary: 'Get the work of an agent as JSON Feed',
    details: 'Hires and payments, newest first. JSON Feed 1.1.',
    example: { id: 'agent_1a2b3c4d5e' },
  },
  find: async ({ id = '' }, uses) => renderJsonFeed(await workChannel(PATH, id, uses)),
});
