import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { Muse } from '#libs/domain/muse.js';
import { isEventOf } from '#libs/domain/define.js';
import { defineServiceCommand, ServiceCommands } from '#libs/endpoints/service-commands.js';
import { PreferenceChanged } from '#libs/features/blocks/domain/preferences.js';
import { identitiesIn, Reach } from '#libs/features/blocks/public.js';
import type { Event } from '#libs/kernel/event.js';
import { Connection, ConnectionRequested, Disconnected } from './domain/connection.js';

interface SentRequest {
  readonly by: string;
  readonly to: string;
}

export const takeBackRequest = defineServiceCommand('take-back-request', {
  reason: 'its sender takes it back',
  events: [Disconnected],
  causes: ['taken-back/<uuid>'],
  writes: ({ by, to }: SentRequest) => Connection.source(by, to),
  decide: (connection, _reads, { by, to }) =>
    connection.status === 'requested' && connection.by === by ? [Disconnected({ by, to, was: 'requested' })] : [],
});

/**
 * Takes back the open request of an agent to another one that it blocks. `connect` passes its event too, for a block at
 * the same instant. The cause names no event: it would tell.
 */
@Injectable()
export class TakeBackRequests implements Reaction {
  readonly name = 'take_back_requests';
  readonly types = [PreferenceChanged.type];

  constructor(
    private readonly commands: ServiceCommands,
    private readonly reach: Reach,
  ) {}

  async react(event: Event): Promise<void> {
    if (isEventOf(ConnectionRequested, event)) {
      const { by, to } = event.data;
      if (await this.reach.hasBlocked(by, to)) await this.takeBack(by, to);
      return;
    }
    if (!isEventOf(PreferenceChanged, event) || !event.data.blocked) return;
    const { muse_id: by, to } = event.data;
    const { state } = await this.commands.journal.load(Muse.source(to));
    for (const id of identitiesIn(to, state)) await this.takeBack(by, id);
  }

  private async takeBack(by: string, to: string): Promise<void> {
    await this.commands.execute(takeBackRequest, { by, to }, { cause: `taken-back/${randomUUID()}` });
  }
}
