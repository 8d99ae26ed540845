import { Injectable } from '@nestjs/common';
import { openedUnder } from '#libs/documents/pages.js';
import type { Reaction } from '#libs/documents/reactions.js';
import { reached } from '#libs/documents/reached.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';
import { PassingUnreadable } from '#libs/event-log/unreadable.js';
import { Clock } from '#libs/kernel/clock.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { Integers } from '#libs/kernel/ids.js';
import { becauseOf } from '#libs/kernel/service-context.js';
import { is } from '#libs/domain/define.js';
import { Hire, Hired, type HiredData, HireEnded, partiesOf } from '#libs/features/hires/domain/hire.js';
import { taskOfRole } from '#libs/features/instant/domain/instant.js';
import { Linked } from '#libs/domain/link-events.js';
import { Forgotten, hasEnded, Muse } from '#libs/domain/muse.js';
import { decidedBy, decision } from '#libs/endpoints/decision.js';
import { Hires } from '#libs/features/hires/views/hires.js';

/** What the poster is told, of one who has erased itself and of one who counts for another. */
const ERASED = 'The worker has erased its identity.';
const COUNTS_FOR_ANOTHER = 'The worker counts for another identity now.';

/** A passed task was answered before its hire was made: the service itself delivers that, whoever the worker is by now. */
const isOfPassedTask = ({ poster, role }: HiredData) => poster === null && taskOfRole(role) !== null;

/** Who acts no more delivers nothing any more: its hire ends, and the seat is free. */
export function ending(hire: Hire, worker: Muse): Fact[] {
  if (hire.status !== 'hired' || !hasEnded(worker) || isOfPassedTask(hire)) return [];
  const reason = worker.status === 'forgotten' ? ERASED : COUNTS_FOR_ANOTHER;
  return [HireEnded({ ...partiesOf(hire), by: hire.worker, reason })];
}

export const endUndelivered = decision('end-undelivered', {
  by: 'service',
  writes: [HireEnded],
  decide({ event, own, read }) {
    const { worker } = event.data as { readonly worker: string };
    return ending(own(Hire), read(Muse.of(worker)));
  },
});

/**
 * Ends what somebody was hired for and has not delivered, who is forgotten or counts for another by now; also a hire
 * that was made at the same moment.
 */
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
    if (is(Hired, event)) return this.endMade(event, event.data);
    if (is(Forgotten, event) || is(Linked, event)) return this.endAll(event, event.data.muse_id);
  }

  /** What was made before its worker came to an end is found by who is told of that. */
  private async endMade(event: Event, made: Made): Promise<void> {
    const { state } = await this.journal.load(Muse.of(made.worker), event.position);
    if (hasEnded(state)) await this.end(event, made);
  }

  /** The documents say where to look; what is decided on is read from the log. */
  private async endAll(event: Event, worker: string): Promise<void> {
    const models = await reached(this.models, event.position, Hires);
    const each = new PassingUnreadable();
    for await (const hires of openedUnder(models.of(Hires), 'byWorker', worker))
      for (const { hire, delivery, ended } of hires)
        if (!delivery && !ended) await each.do(this.end(event, { hire, worker }));
    each.end();
  }

  private async end({ id }: Event, { hire, worker }: Made): Promise<void> {
    const context = becauseOf(id, this.name, {
      at: this.clock.now(),
      decidedBy: decidedBy(endUndelivered),
      reason: 'its worker is forgotten, or counts for another',
      integers: this.integers,
    });
    await carryOut(this.journal, context, {
      writes: Hire.of(hire),
      reads: { worker: Muse.of(worker) },
      decide: (state, reads) => ending(state, reads.worker),
    });
  }
}

interface Made {
  readonly hire: number;
  readonly worker: string;
}
