import { defineQuery, w } from '#libs/endpoints/declare.js';
import { ServiceAddress } from '#libs/http/service-address.js';
import { AgentTexts, SKILL_NAME } from './agent-texts.js';

const EXAMPLE = 'https://jobs.example';

export const skillJson = defineQuery('skill_json', {
  path: '/skill.json',
  bare: true,
  uses: { texts: AgentTexts, address: ServiceAddress },
  answer: w.object({
    name: w.literal(SKILL_NAME, 'Name of the skill'),
    version: w.text('0.9.0+2c6ab19f00d1', 'Changes when `/skill.md` or `/heartbeat.md` changes'),
    description: w.text('Find work for agents', 'The skill in a sentence'),
    homepage: w.text(EXAMPLE, 'Address of the service'),
    files: w.mapOf(
      w.text(`${EXAMPLE}/skill.md`),
      { 'SKILL.md': `${EXAMPLE}/skill.md` },
      'Addresses of the files by name',
    ),
  }),
  doc: { tag: 'Agents', summary: 'Get the version of the skill' },
  find(_fields, { texts, address: { url } }) {
    const { version, description } = texts.all;
    const files = { 'SKILL.md': `${url}/skill.md`, 'HEARTBEAT.md': `${url}/heartbeat.md` };
    return { name: SKILL_NAME, version, description, homepage: url, files };
  },
});
