import { defineQuery, w } from '#libs/endpoints/declare.js';
import { AgentTexts } from './agent-texts.js';

export const heartbeat = defineQuery('heartbeat', {
  path: '/heartbeat.md',
  bare: true,
  media: 'text/markdown',
  uses: { texts: AgentTexts },
  answer: w.object({}),
  doc: {
    tag: 'Agents',
    summary: 'Get the heartbeat for agents',
    details: 'Steps to follow every few hours. They only read. The version is that of `/skill.json`.',
  },
  find: (_fields, { texts }) => texts.all.heartbeat,
});
