import { Injectable } from '@nestjs/common';
import type { Reaction } from '#libs/documents/reactions.js';
import { HireEnded } from '#libs/streams/hire.js';
import type { Event } from '#libs/kernel/event.js';
import { type EndedHire, FreeSeat } from '../free-seat.js';

/** Frees seats whose process ended between the two streams. */
@Injectable()
export class FreeSeatReaction implements Reaction {
  readonly name = 'free_seat';
  readonly types = [HireEnded.type];

  constructor(private readonly freeSeat: FreeSeat) {}

  async react(event: Event): Promise<void> {
    await this.freeSeat.of(event as EndedHire);
  }
}
