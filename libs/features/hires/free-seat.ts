import { Injectable } from '@nestjs/common';
import type { EventOf } from '#libs/streams/define.js';
import type { HireEnded } from '#libs/streams/hire.js';
import { Job, SeatFreed } from '#libs/streams/job.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';
import type { Fact, Position } from '#libs/kernel/event.js';
import { Integers } from '#libs/kernel/ids.js';

export type EndedHire = EventOf<typeof HireEnded>;

/** The seat of a hire that ended is free; a job that was closed as filled is open again. */
export function seatFreed(job: Job, { hire, role, poster, worker }: EndedHire['data']): Fact[] {
  if (job.status === 'unknown' || job.filled.get(worker)?.data.hire !== hire) return [];
  const reopens = job.status === 'closed' && job.reason === 'filled';
  return [SeatFreed({ role, hire, poster, worker, reopens })];
}

/** Frees the seat of a hire that ended; whoever comes by (the handler, the reaction) writes that same event. */
@Injectable()
export class FreeSeat {
  constructor(
    private readonly journal: Journal,
    private readonly integers: Integers,
  ) {}

  async of(ended: EndedHire): Promise<Position> {
    const context = {
      actor: ended.actor,
      at: ended.at,
      requestKey: `${ended.id}/seat_freed`,
      cause: ended.id,
      decidedBy: 'free-seat@1',
      authorization: ended.authorization,
      basedOn: { ...ended.based_on, [ended.stream]: ended.revision },
      integers: this.integers,
    };
    const { position } = await carryOut(this.journal, context, {
      writes: Job.of(ended.data.role),
      decide: job => seatFreed(job, ended.data),
    });
    return position > ended.position ? position : ended.position;
  }
}
