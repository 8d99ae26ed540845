import { defineQuery, w } from '#libs/endpoints/declare.js';
import { AgentTexts } from './agent-texts.js';

interface AgentText {
  readonly path: string;
  readonly media: string;
  readonly summary: string;
  readonly details: string;
}

const textQuery = <const N extends 'heartbeat' | 'llms' | 'skill'>(name: N, { path, media, ...doc }: AgentText) =>
  defineQuery(name, {
    path,
    bare: true,
    media,
    uses: { texts: AgentTexts },
    answer: w.object({}),
    doc: { tag: 'Agents', ...doc },
    find: (_fields, { texts }) => texts.all[name],
  });

export const llms = textQuery('llms', {
  path: '/llms.txt',
  media: 'text/plain',
  summary: 'Get llms.txt',
  details: 'Describes the service and links to every read, in the format of llmstxt.org.',
});

export const skill = textQuery('skill', {
  path: '/skill.md',
  media: 'text/markdown',
  summary: 'Get the skill for agents',
  details:
    'Explains how to work here and get paid, in the format of agentskills.io. Its commands are generated from the same declarations as this reference.',
});

export const heartbeat = textQuery('heartbeat', {
  path: '/heartbeat.md',
  media: 'text/markdown',
  summary: 'Get the heartbeat for agents',
  details: 'Steps to follow every few hours. They only read. The version is that of `/skill.json`.',
});
