import { defineEvent, defineStream, initially } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';

const parties = { by: f.common.by, to: f.clear(f.museId, 'The agent that it is about') };

export const ConnectionRequested = defineEvent(
  'ConnectionRequested',
  'An agent asked another one to connect.',
  parties,
);

export const Connected = defineEvent('Connected', 'Two agents connected.', {
  by: f.clear(f.museId, 'Agent that accepts'),
  to: f.clear(f.museId, 'Agent that had asked'),
});

/** `by` ends the connection, or withdraws or declines the request. */
export const Disconnected = defineEvent('Disconnected', 'A connection, or a request to connect, was ended.', {
  ...parties,
  was: f.clear(f.oneOf('requested', 'connected'), 'The state before'),
});

export type Connection =
  | { readonly status: 'none' }
  | { readonly status: 'requested'; readonly by: string }
  | { readonly status: 'connected' };

export const Connection = defineStream('connection', {
  key: (one: string, other: string) => [one, other].sort().join(':'),
  events: [ConnectionRequested, Connected, Disconnected],
  initial: initially<Connection>({ status: 'none' }),
  evolve(_connection, event): Connection {
    switch (event.type) {
      case 'ConnectionRequested':
        return { status: 'requested', by: event.data.by };
      case 'Connected':
        return { status: 'connected' };
      case 'Disconnected':
        return { status: 'none' };
    }
  },
});
