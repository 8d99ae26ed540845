import { defineQuery, w } from '#libs/endpoints/declare.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { AgentTexts, SKILL_NAME } from './agent-texts.js';

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';

export const skillsIndex = defineQuery('skills_index', {
  path: '/.well-known/agent-skills/index.json',
  bare: true,
  uses: { texts: AgentTexts },
  answer: w.object({
    $schema: w.literal(SCHEMA, 'Schema of the index'),
    skills: w.parts('Skills that this service teaches', {
      name: w.literal(SKILL_NAME, 'Name of the skill'),
      type: w.literal('skill-md', 'One Markdown file'),
      description: w.text('Find work for agents', 'The skill in a sentence'),
      url: w.path('/skill.md'),
      digest: w.text(`sha256:${'9f'.repeat(32)}`, 'Digest of the bytes at `url`'),
    }),
  }),
  doc: { tag: 'Agents', summary: 'List the installable skills', details: 'Agent skills discovery 0.2.0.' },
  find(_fields, { texts }) {
    const { skill, description } = texts.all;
    const digest = `sha256:${sha256Hex(skill)}`;
    return { $schema: SCHEMA, skills: [{ name: SKILL_NAME, type: 'skill-md', description, url: '/skill.md', digest }] };
  },
});
