import { Injectable } from '@nestjs/common';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { consequenceContext } from '#libs/kernel/decide.js';
import { type Event, type Fact, maxPosition, type Position } from '#libs/kernel/event.js';
import type { EventOf } from '#libs/domain/define.js';
import { Hire, HireEnded } from './domain/hire.js';
import { isFilled, Job, SeatFreed } from '#libs/features/jobs/domain/job.js';
import { defineDecision, formatDecidedBy, assertAudit } from '#libs/endpoints/decision.js';
import { followsFrom, followUp } from '#libs/endpoints/follow-ups.js';

export type HireEndedEvent = EventOf<typeof HireEnded>;

/** Reopens a job that was closed as filled, unless it has fewer seats by now. */
function releaseSeat(job: Job, { hire, role, poster, worker }: HireEndedEvent['data']): Fact[] {
  if (job.status === 'unknown' || job.filled.get(worker)?.data.hire !== hire) return [];
  const reopens = isFilled(job) && job.filled.size <= job.seats;
  return [SeatFreed({ role, hire, poster, worker, reopens })];
}

export const freeSeat = defineDecision('free-seat', {
  writes: [SeatFreed],
  follows: followsFrom(HireEnded, ({ data }: HireEndedEvent) =>
    followUp(Job.source(data.role), job => releaseSeat(job, data)),
  ),
  decide({ event, own, read }) {
    const ended = read(Hire.source((event.data as { readonly hire: number }).hire));
    assertAudit(ended.status === 'ended', 'Its hire had not ended.');
    const { id, at, actor, data } = ended.ended;
    const isSame = id === event.cause && at === event.at && actor === event.actor;
    assertAudit(isSame, 'Its cause, time or actor differs from the end of the hire.');
    return releaseSeat(own(Job), data);
  },
});

/** The command and the reaction write the same event, which is derived from the end of the hire. */
@Injectable()
export class FreeSeat implements Reaction {
  readonly name = 'free_seat';
  readonly types = [HireEnded.type];

  constructor(private readonly journal: Journal) {}

  async react(event: Event): Promise<void> {
    await this.free(event as HireEndedEvent);
  }

  /** Frees the seats of hires that ended during an outage. Returns whether the role may have free seats by now. */
  async freeEnded(role: string): Promise<boolean> {
    const { state: job } = await this.journal.load(Job.source(role));
    const seats = job.status === 'unknown' ? [] : [...job.filled.values()];
    const hires = await Promise.all(seats.map(({ data }) => this.journal.load(Hire.source(data.hire))));
    const ended = hires.flatMap(({ state }) => (state.status === 'ended' ? [state.ended] : []));
    for (const each of ended) await this.free(each);
    // The reaction may have freed them since the refusal.
    return ended.length > 0 || !isFilled(job);
  }

  async free(ended: HireEndedEvent): Promise<Position> {
    const context = consequenceContext(ended, formatDecidedBy(freeSeat));
    const { position } = await executeCommand(this.journal, context, {
      writes: Job.source(ended.data.role),
      decide: job => releaseSeat(job, ended.data),
    });
    return maxPosition(position, ended.position);
  }
}
