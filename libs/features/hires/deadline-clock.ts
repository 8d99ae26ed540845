import { Injectable } from '@nestjs/common';
import { ReadModels } from '#libs/documents/read-models.js';
import type { EventOf } from '#libs/domain/define.js';
import { DUE_MAX, runDueWork } from '#libs/endpoints/due-work.js';
import { defineServiceCommand, ServiceCommands } from '#libs/endpoints/service-commands.js';
import type { Event } from '#libs/kernel/event.js';
import { deliveryReminderTime, endUndeliveredHire, remindOfDelivery, undeliveredEnd } from './domain/deadline.js';
import { DeliveryDue, Hire, Hired, HireEnded } from './domain/hire.js';
import { Deadlines } from './views/deadlines.js';

interface HireRef {
  readonly hire: number;
}

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

/** Ends hires whose time to deliver is over, and reminds workers before. Only looks at those that are due. */
@Injectable()
export class DeadlineClock {
  constructor(
    private readonly models: ReadModels,
    private readonly commands: ServiceCommands,
  ) {}

  pass(): Promise<void> {
    return runDueWork(this.commands, {
      find: () => this.models.of(Deadlines).find({ index: 'byNext', equals: [], order: 'asc', limit: DUE_MAX }),
      dueAt: ({ next }) => next,
      act: ({ hire }, at) => this.act(hire, at),
    });
  }

  private async act(hire: number, at: number): Promise<void> {
    await this.commands.execute(remindWorker, { hire }, { cause: `delivery-due/${hire}`, at });
    await this.commands.execute(endLateHire, { hire }, { cause: `deadline/${hire}`, at });
  }
}
