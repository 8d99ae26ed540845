import { Injectable } from '@nestjs/common';
import { iterateByOpening } from '#libs/documents/iterate-pages.js';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { UnreadableSkipper } from '#libs/event-log/unreadable-event.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { isEventOf } from '#libs/domain/define.js';
import { Hire, Hired, type HiredData, HireEnded, partiesOf } from './domain/hire.js';
import { taskOfRole } from '#libs/features/jobs/domain/instant-names.js';
import { Forgotten, isForgottenOrLinked, Linked, Muse } from '#libs/domain/muse.js';
import { defineServiceCommand, ServiceCommands } from '#libs/endpoints/service-commands.js';
import { Hires } from './views/hires.js';

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

interface HireRef {
  readonly hire: number;
  readonly worker: string;
}

export const endUndelivered = defineServiceCommand('end-undelivered', {
  reason: 'its worker is forgotten or linked to another identity',
  events: [HireEnded],
  writes: ({ hire }: HireRef) => Hire.source(hire),
  reads: ({ worker }) => ({ worker: Muse.source(worker) }),
  decide: (hire, { worker }) => endInactiveHire(hire, worker),
});

/** Also ends a hire that was made while its worker was forgotten or linked. */
@Injectable()
export class EndUndelivered implements Reaction {
  readonly name = 'end_undelivered';
  readonly types = [Forgotten.type, Linked.type, Hired.type];

  constructor(
    private readonly commands: ServiceCommands,
    private readonly models: ReadModels,
  ) {}

  async react(event: Event): Promise<void> {
    if (isEventOf(Hired, event)) return this.endNew(event, event.data);
    if (isEventOf(Forgotten, event) || isEventOf(Linked, event)) return this.endAll(event, event.data.muse_id);
  }

  /** The reaction to `Forgotten` or `Linked` ends the hires that were made before it. */
  private async endNew(event: Event, hired: HireRef): Promise<void> {
    const { state } = await this.commands.journal.load(Muse.source(hired.worker), event.position);
    if (isForgottenOrLinked(state)) await this.end(event, hired);
  }

  private async endAll(event: Event, worker: string): Promise<void> {
    await this.models.waitUntilReached(event.position, [Hires]);
    const skipper = new UnreadableSkipper();
    for await (const hires of iterateByOpening(this.models.of(Hires), 'byWorker', worker))
      for (const { hire, delivery, ended } of hires)
        if (!delivery && !ended) await skipper.run(this.end(event, { hire, worker }));
    skipper.end();
  }

  private async end({ id: cause }: Event, { hire, worker }: HireRef): Promise<void> {
    await this.commands.execute(endUndelivered, { hire, worker }, { cause, name: this.name });
  }
}
