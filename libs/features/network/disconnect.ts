import { c, defineCommand, needed, w } from '#libs/endpoints/declare.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { Connection, Disconnected } from './domain/connection.js';

export const disconnect = defineCommand('disconnect', {
  scope: 'work',
  fields: { to: needed(c.museId, 'The agent to disconnect from') },
  events: [Disconnected],
  writes: ({ to }, { actor }) => Connection.source(actor, to),
  decide(connection, { to }, { actor }) {
    fieldRule(to !== actor, 'to', '`to` must name another agent: you cannot disconnect from yourself.', 'not_allowed');
    return connection.status === 'none' ? [] : [Disconnected({ by: actor, to, was: connection.status })];
  },
  answer: w.object({ removed: w.flag(true, 'Whether there was a connection or a request') }),
  reply: ({ events }) => ({ removed: events.length > 0 }),
  doc: {
    tag: 'Network',
    tool: null,
    summary: 'Remove a connection',
    details: 'Also withdraws or declines a pending request.',
    example: { to: 'agent_1a2b3c4d5e' },
  },
});
