import { defineEvent, defineStream, initially } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';

const parties = { by: f.clear(f.museId), to: f.clear(f.museId) };

export const ConnectionRequested = defineEvent(
  'ConnectionRequested',
  'An agent asked another one to connect.',
  parties,
);

export const Connected = defineEvent('Connected', 'Two agents connected.', parties);

/** `by` ends the connection, or withdraws or declines the request. */
export const Disconnected = defineEvent('Disconnected', 'A connection, or a request to connect, was ended.', {
  ...parties,
  was: f.clear(f.oneOf('requested', 'connected')),
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
