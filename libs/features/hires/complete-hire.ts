import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { newEvents } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { consequenceContext } from '#libs/kernel/decide.js';
import { Payment } from '#libs/domain/payment.js';
import { signedPayment } from '#libs/payments/ledger.js';
import type { Event, Fact, NewEvent, Position } from '#libs/kernel/event.js';
import { EscrowFunded, Hire, Hired } from './domain/hire.js';
import { factsOfSeat } from './domain/seat-facts.js';
import { type Seat, SeatFilled, Job } from '#libs/features/jobs/domain/job.js';
import { formatDecidedBy, unreplayableDecision } from '#libs/endpoints/decision.js';
import { followsFrom, followUp } from '#libs/endpoints/follow-ups.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Applications } from '#libs/features/jobs/views/applications.js';

/** Time that a busy command usually needs to write the follow-up event itself. */
const COMMAND_MS = 250;

/** The service writes both events at once. An auditor also expects the second one after the first alone. */
function remainingFacts(hire: Hire, seat: Seat['data']): Fact[] {
  if (hire.status === 'unknown') return factsOfSeat(seat);
  return hire.funding ? [] : factsOfSeat(seat).slice(1);
}

export const completeHire = unreplayableDecision('complete-hire', {
  writes: [Hired, EscrowFunded],
  follows: followsFrom(SeatFilled, ({ data }: Seat) =>
    followUp(Hire.source(data.hire), hire => remainingFacts(hire, data)),
  ),
  rule: 'It is derived from the filled seat: its data, time and actor are the same, and its id follows from the seat.',
});

/**
 * Opens the hire's stream after its seat was filled. The event is derived from the seat, so the command, a repeated
 * request and this reaction all write the same one.
 */
@Injectable()
export class CompleteHire implements Reaction {
  readonly name = 'complete_hire';
  readonly types = [SeatFilled.type];

  constructor(private readonly journal: Journal) {}

  /** Waits a moment, because the command usually writes the event itself. */
  async react(event: Event): Promise<void> {
    const seat = event as Seat;
    if (await this.isComplete(seat)) return;
    await pause(COMMAND_MS);
    if (!(await this.isComplete(seat))) await this.complete(seat);
  }

  private async isComplete({ data, position }: Seat): Promise<boolean> {
    return (await this.journal.log.read(Hire.streamName(data.hire), 0, 1, position)).length > 0;
  }

  /** Returns the position of the last event. */
  async complete(seat: Seat): Promise<Position> {
    const events = firstEvents(seat, await this.paymentInfoOf(seat));
    const stored = await this.journal.append(events[0]!.stream, 'none', events, { hasTimeOfCause: true });
    return stored.at(-1)!.position;
  }

  /** The payment as the contract knows it, as JSON; empty without an escrow. */
  private async paymentInfoOf({ data: { payment } }: Seat): Promise<string> {
    if (payment === undefined) return '';
    const { state } = await this.journal.load(Payment.source(payment));
    return state.status === 'unknown' ? '' : JSON.stringify(signedPayment(state.accepted).escrow?.info);
  }
}

function firstEvents(seat: Seat, paymentInfo?: string): NewEvent[] {
  const context = consequenceContext(seat, formatDecidedBy(completeHire));
  return newEvents(factsOfSeat(seat.data, paymentInfo), Hire.streamName(seat.data.hire), context);
}

/** Returns the first events of the hire as its seat tells them. Their position is that of the seat. */
export const eventsOfSeat = (seat: Seat): Event[] =>
  firstEvents(seat).map((event, revision) => ({ ...event, revision, position: seat.position }));

/** Hires that were answered during an outage, so that only their seat is in the log until `Hired` follows. */
@Injectable()
export class UnfinishedHires {
  constructor(
    private readonly models: ReadModels,
    private readonly journal: Journal,
    private readonly completeHire: CompleteHire,
  ) {}

  /** Writes the missing `Hired`. Returns whether the hire exists by now; throws `Unavailable`. */
  async complete(hire: number): Promise<boolean> {
    const { state } = await this.journal.load(Hire.source(hire));
    // The reaction may have written it since the refusal.
    if (state.status !== 'unknown') return true;
    await this.models.waitUntilCurrent(Applications);
    const byHire = { index: 'byHire', equals: [hire], order: 'asc', limit: 1 } as const;
    const [application] = await this.models.of(Applications).find(byHire);
    if (!application) return false;
    const { role, muse_id } = application.body;
    const { state: job } = await this.journal.load(Job.source(role));
    const seat = job.status === 'unknown' ? undefined : job.filled.get(muse_id);
    if (seat?.data.hire !== hire) return false;
    await this.completeHire.complete(seat);
    return true;
  }
}
