import { iterateByOpening, iteratePages } from '#libs/documents/iterate-pages.js';
import type { EventOf } from '#libs/domain/define.js';
import type { Fact } from '#libs/kernel/event.js';
import { Disputed, DisputeWithdrawn, Hire, partiesOf } from '#libs/features/hires/domain/hire.js';
import { proofAfter } from '#libs/features/hires/domain/proof.js';
import { Forgotten, Muse } from '#libs/domain/muse.js';
import { EndOfMuse } from '#libs/endpoints/end-of-muse.js';
import { defineServiceCommand } from '#libs/endpoints/service-commands.js';
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
  follows: {
    after: [Disputed],
    about: event => {
      const { hire, by } = (event as EventOf<typeof Disputed>).data;
      return [{ hire, by }];
    },
    endsWith: { types: [Forgotten], museOf: ({ by }) => by },
  },
  writes: ({ hire }: DisputeRef) => Hire.source(hire),
  reads: ({ by }) => ({ party: Muse.source(by) }),
  decide: (hire, { party }) => endDispute(hire, party),
});

export class EndDisputes extends EndOfMuse {
  readonly name = 'end_disputes';
  readonly projections = [Hires];
  readonly endings = [this.ending(endForgottenDispute, by => this.listDisputes(by))];

  private async *listDisputes(by: string) {
    const hires = this.models.of(Hires);
    const last = ({ is_open, opened }: HireDocument) => [is_open, opened];
    for (const pages of [
      iterateByOpening(hires, 'byWorker', by),
      iteratePages(hires, { index: 'byPoster', equals: [by], last }),
    ])
      for await (const page of pages)
        for (const { hire, dispute } of page) if (dispute?.by === by && dispute.state === 'open') yield { hire, by };
  }
}
