import { Injectable } from '@nestjs/common';
import { iterateByOpening, iteratePages } from '#libs/documents/iterate-pages.js';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { UnreadableSkipper } from '#libs/event-log/unreadable-event.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { isEventOf } from '#libs/domain/define.js';
import { Disputed, DisputeWithdrawn, Hire, partiesOf } from '#libs/features/hires/domain/hire.js';
import { proofAfter } from '#libs/features/hires/domain/proof.js';
import { Forgotten, Muse } from '#libs/domain/muse.js';
import { defineServiceCommand, ServiceCommands } from '#libs/endpoints/service-commands.js';
import { type HireDocument, Hires } from '#libs/features/hires/views/hires.js';

interface DisputeRef {
  readonly hire: number;
  readonly by: string;
}

/** A forgotten party can no longer withdraw its dispute. */
export function endDispute(hire: Hire, party: Muse): Fact[] {
  if (hire.status === 'unknown' || party.status !== 'forgotten' || hire.dispute?.by !== party.muse_id) return [];
  const proof = proofAfter(hire, { isDisputed: false });
  return [DisputeWithdrawn({ ...partiesOf(hire), by: party.muse_id, ...proof })];
}

export const endForgottenDispute = defineServiceCommand('end-dispute', {
  reason: 'its muse is forgotten',
  events: [DisputeWithdrawn],
  writes: ({ hire }: DisputeRef) => Hire.source(hire),
  reads: ({ by }) => ({ party: Muse.source(by) }),
  decide: (hire, { party }) => endDispute(hire, party),
});

/** Also ends a dispute that was begun while its muse was forgotten. */
@Injectable()
export class EndDisputes implements Reaction {
  readonly name = 'end_disputes';
  readonly types = [Forgotten.type, Disputed.type];

  constructor(
    private readonly commands: ServiceCommands,
    private readonly models: ReadModels,
  ) {}

  async react(event: Event): Promise<void> {
    if (isEventOf(Disputed, event)) return this.endNew(event, event.data);
    if (isEventOf(Forgotten, event)) return this.endAll(event, event.data.muse_id);
  }

  /** The reaction to `Forgotten` ends the disputes that were begun before it. */
  private async endNew(event: Event, dispute: DisputeRef): Promise<void> {
    const { state } = await this.commands.journal.load(Muse.source(dispute.by), event.position);
    if (state.status === 'forgotten') await this.end(event, dispute);
  }

  private async endAll(event: Event, by: string): Promise<void> {
    await this.models.waitUntilReached(event.position, [Hires]);
    const skipper = new UnreadableSkipper();
    for await (const hires of this.hiresOf(by))
      for (const { hire, dispute } of hires)
        if (dispute?.by === by && dispute.state === 'open') await skipper.run(this.end(event, { hire, by }));
    skipper.end();
  }

  private async *hiresOf(muse: string): AsyncGenerator<HireDocument[]> {
    const hires = this.models.of(Hires);
    yield* iterateByOpening(hires, 'byWorker', muse);
    const last = ({ is_open, opened }: HireDocument) => [is_open, opened];
    yield* iteratePages(hires, { index: 'byPoster', equals: [muse], last });
  }

  private async end({ id: cause }: Event, { hire, by }: DisputeRef): Promise<void> {
    await this.commands.execute(endForgottenDispute, { hire, by }, { cause, name: this.name });
  }
}
