import { defineQuery, w } from '#libs/endpoints/declare.js';
import { AgentTexts } from './agent-texts.js';

export const skill = defineQuery('skill', {
  path: '/skill.md',
  bare: true,
  media: 'text/markdown',
  uses: { texts: AgentTexts },
  answer: w.object({}),
  doc: {
    tag: 'Agents',
    summary: 'Get the skill for agents',
    details:
      'Explains how to work here and get paid, in the format of agentskills.io. Its commands are generated from the same declarations as this reference.',
  },
  find: (_fields, { texts }) => texts.all.skill,
});
