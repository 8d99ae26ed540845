import { iteratePages } from '#libs/documents/iterate-pages.js';
import type { EventOf } from '#libs/domain/define.js';
import type { Fact } from '#libs/kernel/event.js';
import { Forgotten, Muse } from '#libs/domain/muse.js';
import { EndOfMuse } from '#libs/endpoints/end-of-muse.js';
import { defineServiceCommand } from '#libs/endpoints/service-commands.js';
import { Connected, Connection, Disconnected } from './domain/connection.js';
import { Connections } from './views/connections.js';

interface Pair {
  readonly by: string;
  readonly to: string;
}

export function endConnection(connection: Connection, muse: Muse, { by, to }: Pair): Fact[] {
  if (connection.status !== 'connected' || muse.status !== 'forgotten') return [];
  return [Disconnected({ by, to, was: 'connected' })];
}

export const endForgottenConnection = defineServiceCommand('end-connection', {
  reason: 'its muse is forgotten',
  events: [Disconnected],
  follows: {
    after: [Connected],
    /** Either muse may have forgotten itself while they connected. */
    about: event => {
      const { by, to } = (event as EventOf<typeof Connected>).data;
      return [
        { by, to },
        { by: to, to: by },
      ];
    },
    endsWith: { types: [Forgotten], museOf: ({ by }) => by },
  },
  writes: ({ by, to }: Pair) => Connection.source(by, to),
  reads: ({ by }) => ({ muse: Muse.source(by) }),
  decide: (connection, { muse }, pair) => endConnection(connection, muse, pair),
});

/** No list and no figure has the connections of a forgotten muse. */
export class EndConnections extends EndOfMuse {
  readonly name = 'end_connections';
  readonly projections = [Connections];
  readonly endings = [this.ending(endForgottenConnection, by => this.listConnections(by))];

  private async *listConnections(by: string) {
    const range = { index: 'byMuse', equals: [by], last: ({ since }: { readonly since: string }) => [since] };
    for await (const connections of iteratePages(this.models.of(Connections), range))
      for (const { other: to } of connections) yield { by, to };
  }
}
