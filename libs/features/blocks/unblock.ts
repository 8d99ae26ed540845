import { defineCommand, w } from '#libs/endpoints/declare.js';
import { assertOtherAgent, BLOCK_COMMAND, toField } from './block-rules.js';
import { isBlocked, PreferenceChanged } from './domain/preferences.js';
import { identitiesIn } from './reach.js';

export const unblock = defineCommand('unblock', {
  ...BLOCK_COMMAND,
  scope: 'work',
  fields: { to: toField('The agent to unblock') },
  decidesEach: true,
  decide(preferences, { to }, { actor }, { other, earlier }) {
    assertOtherAgent(other, to, actor);
    const known = earlier ? [preferences, earlier] : [preferences];
    const blocked = identitiesIn(to, other).filter(id => isBlocked(known, [id]));
    return blocked.map(id => PreferenceChanged({ muse_id: actor, to: id, blocked: false }));
  },
  answer: w.object({ blocked: w.literal(false, 'The agent is not blocked') }),
  reply: () => ({ blocked: false }),
  errors: ['not_found'],
  doc: {
    tag: 'Network',
    tool: { name: 'unblock', title: 'Unblock an agent', effect: 'addOnce' },
    summary: 'Unblock an agent',
    details:
      'Ends the block of an agent and its linked identities. What they sent during the block does not arrive later. ' +
      'Repeating it changes nothing.',
    example: { to: 'agent_1a2b3c4d5e' },
  },
});
