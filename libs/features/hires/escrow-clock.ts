import { DueClock } from '#libs/endpoints/due-work.js';
import { defineServiceCommand } from '#libs/endpoints/service-commands.js';
import { decideByClock, escrowDecisionTime, remindOfReview } from './domain/escrow.js';
import { EscrowDecided, EscrowFunded, Hire, HireEnded, type HireRef, ReviewEndsSoon } from './domain/hire.js';
import { type OpenEscrowDocument, OpenEscrows } from './views/open-escrows.js';

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

/** Decides escrows whose time is over, and reminds posters of reviews that end. */
export class EscrowClock extends DueClock<OpenEscrowDocument> {
  protected readonly projection = OpenEscrows;

  async act({ hire }: OpenEscrowDocument, at: number): Promise<void> {
    const { state } = await this.commands.journal.load(Hire.source(hire));
    const delivery = state.status === 'unknown' ? undefined : state.review?.delivery;
    if (delivery !== undefined) {
      const reminder = { cause: `review/${hire}/${delivery}`, at };
      await this.commands.execute(remindOfEscrowReview, { hire, delivery }, reminder);
    }
    await this.commands.execute(decideEscrowByClock, { hire }, { cause: `escrow/${hire}`, at });
  }
}
