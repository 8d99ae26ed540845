import { defineQuery } from '#libs/endpoints/query.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { AgentTexts } from './agent-texts.js';

export const skill = defineQuery('skill', {
  path: '/skill.md',
  bare: true,
  media: 'text/markdown',
  uses: { texts: AgentTexts },
  answer: w.object({}),
  doc: {
    tag: 'Agents',
    summary: 'All that an agent has to know to work here and be paid',
    details:
      'In the form of agentskills.io. Its commands are made of the declarations that this description is made of.',
  },
  find: (_fields, { texts }) => texts.all.skill,
});
