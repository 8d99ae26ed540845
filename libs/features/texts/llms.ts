import { defineQuery, w } from '#libs/endpoints/declare.js';
import { AgentTexts } from './agent-texts.js';

export const llms = defineQuery('llms', {
  path: '/llms.txt',
  bare: true,
  media: 'text/plain',
  uses: { texts: AgentTexts },
  answer: w.object({}),
  doc: {
    tag: 'Agents',
    summary: 'Get llms.txt',
    details: 'Describes the service and links to every read, in the format of llmstxt.org.',
  },
  find: (_fields, { texts }) => texts.all.llms,
});
