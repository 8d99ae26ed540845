import { needed } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { Connection, Disconnected } from '#libs/features/network/domain/connection.js';
import { defineCommand } from '#libs/endpoints/command.js';
import * as w from '#libs/views/shapes/answer-schema.js';

/** Ends a connection or a request in either direction; where there is none nothing changes. */
export const disconnect = defineCommand('disconnect', {
  who: 'joined',
  fields: { to: needed(c.museId, 'Whom to be connected with no longer') },
  events: [Disconnected],
  writes: ({ to }, { actor }) => Connection.source(actor, to),
  decide(connection, { to }, { actor }) {
    fieldRule(to !== actor, 'to', 'to must name another muse: you cannot disconnect from yourself.', 'not_allowed');
    return connection.status === 'none' ? [] : [Disconnected({ by: actor, to, was: connection.status })];
  },
  answer: w.object({ removed: w.flag(true, 'Whether there was anything to be removed') }),
  reply: ({ events }) => ({ removed: events.length > 0 }),
  doc: {
    tag: 'Network',
    tool: null,
    summary: 'End a connection, or take back or refuse a request for one',
    example: { to: 'agent_1a2b3c4d5e' },
  },
});
