import { needed } from '#libs/validation/fields.js';
import * as c from '#libs/validation/words.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { Connection, Disconnected } from '#libs/features/network/domain/connection.js';
import { verb } from '#libs/endpoints/verb.js';
import * as w from '#libs/views/shapes/words.js';

/** Ends a connection or a request in either direction; where there is none nothing changes. */
export const disconnect = verb('disconnect', {
  who: 'joined',
  fields: { to: needed(c.museId, 'Whom to be connected with no longer') },
  events: [Disconnected],
  writes: ({ to }, { actor }) => Connection.of(actor, to),
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
