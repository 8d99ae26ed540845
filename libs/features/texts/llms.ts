import { defineQuery } from '#libs/endpoints/query.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { AgentTexts } from './agent-texts.js';

export const llms = defineQuery('llms', {
  path: '/llms.txt',
  bare: true,
  media: 'text/plain',
  uses: { texts: AgentTexts },
  answer: w.object({}),
  doc: {
    tag: 'Agents',
    summary: 'What this service is, with a link to everything that it answers',
    details: 'In the form of llmstxt.org.',
  },
  find: (_fields, { texts }) => texts.all.llms,
});
