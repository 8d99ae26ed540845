import type { EventOf } from '#libs/domain/define.js';
import { DueClock } from '#libs/endpoints/due-work.js';
import { defineServiceCommand } from '#libs/endpoints/service-commands.js';
import type { Event } from '#libs/kernel/event.js';
import { deliveryReminderTime, endUndeliveredHire, remindOfDelivery, undeliveredEnd } from './domain/deadline.js';
import { DeliveryDue, Hire, Hired, HireEnded, type HireRef } from './domain/hire.js';
import { type DeadlineDocument, Deadlines } from './views/deadlines.js';

/** Hires with a deadline. */
const aboutDeadline = (event: Event): HireRef[] => {
  const { hire, deliver_by } = (event as EventOf<typeof Hired>).data;
  return deliver_by === undefined ? [] : [{ hire }];
};

export const endLateHire = defineServiceCommand('end-late-hire', {
  reason: 'nothing was delivered in time',
  events: [HireEnded],
  causes: ['deadline/<hire>'],
  follows: {
    after: [Hired],
    about: aboutDeadline,
    dueAt: ({ hire }, read) => undeliveredEnd(read(Hire.source(hire))),
  },
  writes: ({ hire }: HireRef) => Hire.source(hire),
  decide: (hire, _reads, _about, { at }) => endUndeliveredHire(hire, at),
});

export const remindWorker = defineServiceCommand('remind-of-delivery', {
  reason: 'half of the time to deliver is over',
  events: [DeliveryDue],
  causes: ['delivery-due/<hire>'],
  follows: {
    after: [Hired],
    about: aboutDeadline,
    dueAt: ({ hire }, read) => deliveryReminderTime(read(Hire.source(hire))),
  },
  writes: ({ hire }: HireRef) => Hire.source(hire),
  decide: (hire, _reads, _about, { at }) => remindOfDelivery(hire, at),
});

/** Ends hires whose time to deliver is over, and reminds workers before. */
export class DeadlineClock extends DueClock<DeadlineDocument> {
  protected readonly projection = Deadlines;

  async act({ hire }: DeadlineDocument, at: number): Promise<void> {
    await this.commands.execute(remindWorker, { hire }, { cause: `delivery-due/${hire}`, at });
    await this.commands.execute(endLateHire, { hire }, { cause: `deadline/${hire}`, at });
  }
}
