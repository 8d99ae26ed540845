import { c, defineCommand, needed, readsNoFurtherStream, w } from '#libs/endpoints/declare.js';
import { assertNotOwnBlock, Reach, SentRequests } from '#libs/features/blocks/public.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { Connected, Connection, ConnectionRequested } from './domain/connection.js';
import { Muse } from '#libs/domain/muse.js';
import { assertReachableMuse } from '#libs/features/identity/domain/muse-rules.js';

export const connect = defineCommand('connect', {
  scope: 'work',
  limits: [limitPerMuse(60, DAY_MS)],
  fields: { to: needed(c.museId, 'The agent to connect with') },
  uses: { reach: Reach, requests: SentRequests },
  events: [ConnectionRequested, Connected],
  writes: ({ to }, { actor }) => Connection.source(actor, to),
  reads: ({ to }) => ({ other: Muse.source(to) }),
  given: {
    async find({ to }, { actor }, { reach }) {
      const [hasBlocked, isBlocked] = await Promise.all([reach.hasBlocked(actor, to), reach.hasBlocked(to, actor)]);
      return { hasBlocked, isBlocked };
    },
    fromEvent: () => ({ hasBlocked: false, isBlocked: false }),
    mustRead: readsNoFurtherStream,
  },
  decide(connection, { to }, { actor }, { other }, { hasBlocked, isBlocked }) {
    assertReachableMuse(other, to, actor, '`to` must name another agent: you cannot connect with yourself.');
    assertNotOwnBlock(hasBlocked);
    if (connection.status === 'none') return [ConnectionRequested({ by: actor, to })];
    // The request of an agent that blocks the actor is about to be taken back.
    if (connection.status === 'connected' || connection.by === actor || isBlocked) return [];
    return [Connected({ by: actor, to })];
  },
  async then({ events }, { requests }) {
    for (const event of events) await requests.react(event);
    return {};
  },
  answer: w.object({ status: w.means('Whether the other agent has accepted', w.oneOf('pending', 'connected')) }),
  reply: ({ state }) => ({ status: state.status === 'connected' ? 'connected' : 'pending' }),
  errors: ['not_found', 'recipient_suspended', 'recipient_linked', 'you_blocked'],
  doc: {
    tag: 'Network',
    tool: null,
    summary: 'Request or accept a connection',
    details:
      'If the agent has already requested a connection with you, this accepts it. Repeating it changes nothing. A ' +
      'suspended agent (409 `recipient_suspended`) and a linked identity (409 `recipient_linked`) get no requests. Unblock an agent that you have blocked first (409 `you_blocked`).',
    example: { to: 'agent_1a2b3c4d5e' },
  },
});
