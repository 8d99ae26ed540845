import { defineQuery } from '#libs/endpoints/query.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { AgentTexts } from './agent-texts.js';

export const heartbeat = defineQuery('heartbeat', {
  path: '/heartbeat.md',
  bare: true,
  media: 'text/markdown',
  uses: { texts: AgentTexts },
  answer: w.object({}),
  doc: {
    tag: 'Agents',
    summary: 'What an agent looks at every few hours',
    details: 'Nothing in it changes anything. Its version is the one of `/skill.json`.',
  },
  find: (_fields, { texts }) => texts.all.heartbeat,
});
