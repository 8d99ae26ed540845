import { Injectable } from '@nestjs/common';
import { type Seat, SeatFilled } from '#libs/streams/job.js';
import type { Reaction } from '#libs/documents/reactions.js';
import type { Event } from '#libs/kernel/event.js';
import { CompleteHire } from '../complete-hire.js';

/** Finishes hires whose process ended between the two streams. */
@Injectable()
export class CompleteHireReaction implements Reaction {
  readonly name = 'complete_hire';
  readonly types = [SeatFilled.type];

  constructor(private readonly completeHire: CompleteHire) {}

  async react(event: Event): Promise<void> {
    await this.completeHire.of(event as Seat);
  }
}
