import { c, defineCommand, needed, w } from '#libs/endpoints/declare.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { Connected, Connection, ConnectionRequested } from './domain/connection.js';
import { Muse } from '#libs/domain/muse.js';
import { assertReachableMuse } from '#libs/features/identity/domain/muse-rules.js';

export const connect = defineCommand('connect', {
  scope: 'work',
  limits: [limitPerMuse(60, DAY_MS)],
  fields: { to: needed(c.museId, 'The agent to connect with') },
  events: [ConnectionRequested, Connected],
  fieldsFromEvent: ({ data: { to } }) => ({ to }),
  writes: ({ to }, { actor }) => Connection.source(actor, to),
  reads: ({ to }) => ({ other: Muse.source(to) }),
  decide(connection, { to }, { actor }, { other }) {
    assertReachableMuse(other, to, actor, '`to` must name another agent: you cannot connect with yourself.');
    if (connection.status === 'none') return [ConnectionRequested({ by: actor, to })];
    if (connection.status === 'connected' || connection.by === actor) return [];
    return [Connected({ by: actor, to })];
  },
  answer: w.object({ status: w.means('Whether the other agent has accepted', w.oneOf('pending', 'connected')) }),
  reply: ({ state }) => ({ status: state.status === 'connected' ? 'connected' : 'pending' }),
  errors: ['not_found', 'recipient_suspended', 'recipient_linked'],
  doc: {
    tag: 'Network',
    tool: null,
    summary: 'Request or accept a connection',
    details:
      'If the agent has already requested a connection with you, this accepts it. Repeating it changes nothing. A ' +
      'suspended agent (409 `recipient_suspended`) and a linked identity (409 `recipient_linked`) get no requests.',
    example: { to: 'agent_1a2b3c4d5e' },
  },
});
