import { iterateByOpening } from '#libs/documents/iterate-pages.js';
import type { EventOf } from '#libs/domain/define.js';
import type { Fact } from '#libs/kernel/event.js';
import { endOfHire } from './domain/end-of-hire.js';
import { decideEscrow } from './domain/escrow.js';
import { EscrowDecided, Hire, Hired, type HiredData, HireEnded } from './domain/hire.js';
import { taskOfRole } from '#libs/features/jobs/domain/instant-names.js';
import { Forgotten, isForgottenOrLinked, Linked, Muse } from '#libs/domain/muse.js';
import { EndOfMuse } from '#libs/endpoints/end-of-muse.js';
import { defineServiceCommand } from '#libs/endpoints/service-commands.js';
import { Hires } from './views/hires.js';

const ERASED = 'The worker has erased its identity.';
const LINKED = 'The worker is now linked to another identity.';

/** The service delivers an instant answer itself, even if the worker is forgotten or linked. */
const isInstantTaskHire = ({ poster, role }: HiredData) => poster === null && taskOfRole(role) !== null;

/** A forgotten or linked worker cannot deliver: end the hire and free the seat. */
export function endInactiveHire(hire: Hire, worker: Muse): Fact[] {
  if (hire.status !== 'hired' || !isForgottenOrLinked(worker) || isInstantTaskHire(hire)) return [];
  const reason = worker.status === 'forgotten' ? ERASED : LINKED;
  return [endOfHire(hire, { by: hire.worker, reason }), ...decideEscrow(hire, 'poster', 'ended')];
}

interface HireRef {
  readonly hire: number;
  readonly worker: string;
}

export const endUndelivered = defineServiceCommand('end-undelivered', {
  reason: 'its worker is forgotten or linked to another identity',
  events: [HireEnded, EscrowDecided],
  follows: {
    after: [Hired],
    about: event => {
      const { hire, worker } = (event as EventOf<typeof Hired>).data;
      return [{ hire, worker }];
    },
    endsWith: { types: [Forgotten, Linked], museOf: ({ worker }) => worker },
  },
  writes: ({ hire }: HireRef) => Hire.source(hire),
  reads: ({ worker }) => ({ worker: Muse.source(worker) }),
  decide: (hire, { worker }) => endInactiveHire(hire, worker),
});

export class EndUndelivered extends EndOfMuse {
  readonly name = 'end_undelivered';
  readonly projections = [Hires];
  readonly endings = [this.ending(endUndelivered, worker => this.listHires(worker))];

  private async *listHires(worker: string) {
    for await (const hires of iterateByOpening(this.models.of(Hires), 'byWorker', worker))
      for (const { hire, delivery, ended } of hires) if (!delivery && !ended) yield { hire, worker };
  }
}
