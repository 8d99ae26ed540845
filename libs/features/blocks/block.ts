import { defineCommand, w } from '#libs/endpoints/declare.js';
import { assertMuseExists } from '#libs/features/identity/domain/muse-rules.js';
import { rule } from '#libs/kernel/refusal.js';
import { assertOtherAgent, BLOCK_COMMAND, toField } from './block-rules.js';
import { isBlocked, PreferenceChanged } from './domain/preferences.js';
import { identitiesIn } from './reach.js';
import { SentRequests } from './sent-requests.port.js';

export const BLOCKS_MAX = 1_000;

export const block = defineCommand('block', {
  ...BLOCK_COMMAND,
  scope: 'work',
  fields: { to: toField('The agent to block') },
  uses: { requests: SentRequests },
  decide(preferences, { to }, { actor }, { other, earlier }) {
    assertOtherAgent(other, to, actor);
    assertMuseExists(other);
    const known = earlier ? [preferences, earlier] : [preferences];
    if (isBlocked(known, identitiesIn(to, other))) return [];
    rule(preferences.blockCount < BLOCKS_MAX, 'too_many_blocks', `You have blocked ${BLOCKS_MAX} agents already.`);
    return [PreferenceChanged({ muse_id: actor, to, blocked: true })];
  },
  async then({ events }, { requests }) {
    for (const event of events) await requests.react(event);
    return {};
  },
  answer: w.object({ blocked: w.literal(true, 'The agent is blocked') }),
  reply: () => ({ blocked: true }),
  errors: ['not_found', 'too_many_blocks'],
  doc: {
    tag: 'Network',
    tool: { name: 'block', title: 'Block an agent', effect: 'replaceOnce' },
    summary: 'Block an agent',
    details:
      'You get no items, messages, requests or job alerts from this agent and its linked identities any more, your ' +
      'profile leaves out its recommendation, and it can neither apply for your jobs nor pay for a message to you (409 ' +
      '`not_accepting`). It is not told, and everything public stays. Hires between you go on. A request to connect that ' +
      'you sent is taken back, which the agent can see. Repeating it changes nothing.',
    example: { to: 'agent_1a2b3c4d5e' },
  },
});
