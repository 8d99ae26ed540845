import { Injectable } from '@nestjs/common';
import { ReadModels } from '#libs/documents/read-models.js';
import { defineServiceCommand, ServiceCommands } from '#libs/endpoints/service-commands.js';
import { skipUnreadable } from '#libs/event-log/unreadable-event.js';
import { decideByClock, escrowDecisionTime, remindOfReview } from './domain/escrow.js';
import { EscrowDecided, EscrowFunded, Hire, HireEnded, ReviewEndsSoon } from './domain/hire.js';
import { OpenEscrows } from './views/open-escrows.js';

interface HireRef {
  readonly hire: number;
}

export const decideEscrowByClock = defineServiceCommand('decide-escrow', {
  reason: 'a time of the escrow is over',
  events: [HireEnded, EscrowDecided],
  causes: ['escrow/<hire>'],
  follows: {
    after: [EscrowFunded],
    about: ({ data }) => [data as HireRef],
    dueAt: ({ hire }, read) => escrowDecisionTime(read(Hire.source(hire))),
  },
  writes: ({ hire }: HireRef) => Hire.source(hire),
  decide: (hire, _reads, _about, { at }) => decideByClock(hire, at),
});

export const remindOfEscrowReview = defineServiceCommand('remind-of-review', {
  reason: 'the review ends in a day',
  events: [ReviewEndsSoon],
  causes: ['review/<hire>/<delivery>'],
  writes: ({ hire }: HireRef & { readonly delivery: number }) => Hire.source(hire),
  decide: (hire, _reads, _about, { at }) => remindOfReview(hire, at),
});

/** Maximum escrows of one pass. */
const PASS_MAX = 100;

/** Decides escrows whose time is over, and reminds posters of reviews that end. Only looks at those that are due. */
@Injectable()
export class EscrowClock {
  constructor(
    private readonly models: ReadModels,
    private readonly commands: ServiceCommands,
  ) {}

  async pass(): Promise<void> {
    const { clock } = this.commands;
    if (clock.isSteady?.() === false) return;
    const at = clock.now();
    const due = await this.models.of(OpenEscrows).find({ index: 'byNext', equals: [], order: 'asc', limit: PASS_MAX });
    for (const { body } of due) {
      if (body.next > at) return;
      await skipUnreadable(this.act(body.hire, at));
    }
  }

  private async act(hire: number, at: number): Promise<void> {
    const { state } = await this.commands.journal.load(Hire.source(hire));
    const delivery = state.status === 'unknown' ? undefined : state.review?.delivery;
    if (delivery !== undefined) {
      const reminder = { cause: `review/${hire}/${delivery}`, at };
      await this.commands.execute(remindOfEscrowReview, { hire, delivery }, reminder);
    }
    await this.commands.execute(decideEscrowByClock, { hire }, { cause: `escrow/${hire}`, at });
  }
}
