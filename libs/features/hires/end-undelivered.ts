import { Injectable } from '@nestjs/common';
import { iterateByOpening } from '#libs/documents/iterate-pages.js';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { waitForReadModels } from '#libs/documents/wait-for-read-models.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { UnreadableSkipper } from '#libs/event-log/unreadable-event.js';
import { Clock } from '#libs/kernel/clock.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { Integers } from '#libs/kernel/ids.js';
import { becauseOf } from '#libs/kernel/decide.js';
import { isEventOf } from '#libs/domain/define.js';
import { Hire, Hired, type HiredData, HireEnded, partiesOf } from '#libs/features/hires/domain/hire.js';
import { taskOfRole } from '#libs/features/instant/domain/instant.js';
import { Forgotten, isForgottenOrLinked, Linked, Muse } from '#libs/domain/muse.js';
import { formatDecidedBy, serviceDecision } from '#libs/endpoints/decision.js';
import { Hires } from '#libs/features/hires/views/hires.js';

const ERASED = 'The worker has erased its identity.';
const LINKED = 'The worker is now linked to another identity.';

/** The service delivers an instant answer itself, even if the worker is forgotten or linked. */
const isInstantTaskHire = ({ poster, role }: HiredData) => poster === null && taskOfRole(role) !== null;

/** A forgotten or linked worker cannot deliver: end the hire and free the seat. */
export function endInactiveHire(hire: Hire, worker: Muse): Fact[] {
  if (hire.status !== 'hired' || !isForgottenOrLinked(worker) || isInstantTaskHire(hire)) return [];
  const reason = worker.status === 'forgotten' ? ERASED : LINKED;
  return [HireEnded({ ...partiesOf(hire), by: hire.worker, reason })];
}

export const endUndelivered = serviceDecision('end-undelivered', {
  by: 'service',
  writes: [HireEnded],
  decide({ event, own, read }) {
    const { worker } = event.data as { readonly worker: string };
    return endInactiveHire(own(Hire), read(Muse.source(worker)));
  },
});

/** Also ends a hire that was made while its worker was forgotten or linked. */
@Injectable()
export class EndUndelivered implements Reaction {
  readonly name = 'end_undelivered';
  readonly types = [Forgotten.type, Linked.type, Hired.type];

  constructor(
    private readonly journal: Journal,
    private readonly models: ReadModels,
    private readonly clock: Clock,
    private readonly integers: Integers,
  ) {}

  async react(event: Event): Promise<void> {
    if (isEventOf(Hired, event)) return this.endNew(event, event.data);
    if (isEventOf(Forgotten, event) || isEventOf(Linked, event)) return this.endAll(event, event.data.muse_id);
  }

  /** The reaction to `Forgotten` or `Linked` ends the hires that were made before it. */
  private async endNew(event: Event, hired: HireRef): Promise<void> {
    const { state } = await this.journal.load(Muse.source(hired.worker), event.position);
    if (isForgottenOrLinked(state)) await this.end(event, hired);
  }

  private async endAll(event: Event, worker: string): Promise<void> {
    const models = await waitForReadModels(this.models, event.position, Hires);
    const skipper = new UnreadableSkipper();
    for await (const hires of iterateByOpening(models.of(Hires), 'byWorker', worker))
      for (const { hire, delivery, ended } of hires)
        if (!delivery && !ended) await skipper.run(this.end(event, { hire, worker }));
    skipper.end();
  }

  private async end({ id }: Event, { hire, worker }: HireRef): Promise<void> {
    const context = becauseOf(id, this.name, {
      at: this.clock.now(),
      decidedBy: formatDecidedBy(endUndelivered),
      reason: 'its worker is forgotten or linked to another identity',
      integers: this.integers,
    });
    await executeCommand(this.journal, context, {
      writes: Hire.source(hire),
      reads: { worker: Muse.source(worker) },
      decide: (state, reads) => endInactiveHire(state, reads.worker),
    });
  }
}

interface HireRef {
  readonly hire: number;
  readonly worker: string;
}
