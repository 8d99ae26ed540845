import { Injectable } from '@nestjs/common';
import { iteratePages } from '#libs/documents/iterate-pages.js';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { UnreadableSkipper } from '#libs/event-log/unreadable-event.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { isEventOf } from '#libs/domain/define.js';
import { Forgotten, Muse } from '#libs/domain/muse.js';
import { defineServiceCommand, ServiceCommands } from '#libs/endpoints/service-commands.js';
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
  writes: ({ by, to }: Pair) => Connection.source(by, to),
  reads: ({ by }) => ({ muse: Muse.source(by) }),
  decide: (connection, { muse }, pair) => endConnection(connection, muse, pair),
});

/** Ends the connections of a forgotten muse, so that no list and no figure has them. */
@Injectable()
export class EndConnections implements Reaction {
  readonly name = 'end_connections';
  readonly types = [Forgotten.type, Connected.type];

  constructor(
    private readonly commands: ServiceCommands,
    private readonly models: ReadModels,
  ) {}

  async react(event: Event): Promise<void> {
    if (isEventOf(Connected, event)) return this.endNew(event, event.data);
    if (isEventOf(Forgotten, event)) return this.endAll(event, event.data.muse_id);
  }

  /** The other muse may have forgotten itself while they connected. */
  private async endNew(event: Event, { by, to }: Pair): Promise<void> {
    for (const pair of [
      { by, to },
      { by: to, to: by },
    ]) {
      const { state } = await this.commands.journal.load(Muse.source(pair.by), event.position);
      if (state.status === 'forgotten') await this.end(event, pair);
    }
  }

  private async endAll(event: Event, by: string): Promise<void> {
    await this.models.waitUntilReached(event.position, [Connections]);
    const skipper = new UnreadableSkipper();
    const range = { index: 'byMuse', equals: [by], last: ({ since }: { readonly since: string }) => [since] };
    for await (const connections of iteratePages(this.models.of(Connections), range))
      for (const { other: to } of connections) await skipper.run(this.end(event, { by, to }));
    skipper.end();
  }

  private async end({ id: cause }: Event, pair: Pair): Promise<void> {
    await this.commands.execute(endForgottenConnection, pair, { cause, name: this.name });
  }
}
