import { defineEvent, type EventOf, defineStream } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';

const between = { by: f.clear(f.museId), to: f.clear(f.museId) };

export const ConnectionRequested = defineEvent('ConnectionRequested', between);

/** `by` accepts what `to` had asked for. */
export const Connected = defineEvent('Connected', between);

/** `by` ends a connection, or takes back or refuses a request. */
export const Disconnected = defineEvent('Disconnected', {
  ...between,
  was: f.clear(f.oneOf('requested', 'connected')),
});

/** How two muses stand to each other, as the stream `connection-<a>:<b>` says, whose name has them in order. */
export type Connection =
  | { readonly status: 'none' }
  | { readonly status: 'requested'; readonly by: string }
  | { readonly status: 'connected' };

type ConnectionEvent = EventOf<typeof ConnectionRequested> | EventOf<typeof Connected> | EventOf<typeof Disconnected>;

export const Connection = defineStream('connection', {
  key: (one: string, other: string) => [one, other].sort().join(':'),
  events: [ConnectionRequested, Connected, Disconnected],
  initial: { status: 'none' },
  evolve(connection: Connection, event: ConnectionEvent): Connection {
    switch (event.type) {
      case 'ConnectionRequested':
        return { status: 'requested', by: event.data.by };
      case 'Connected':
        return { status: 'connected' };
      case 'Disconnected':
        return { status: 'none' };
      default:
        event satisfies never;
        return connection;
    }
  },
});
