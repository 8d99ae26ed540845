import { Injectable } from '@nestjs/common';
import type { Scalar } from '#libs/documents/document-store.port.js';
import { ReadModels } from '#libs/documents/read-models.js';
import type { EventOf } from '#libs/domain/define.js';
import { NotReplayable } from '#libs/endpoints/decision.js';
import { BY_NEXT, DUE_MAX, runDueWork } from '#libs/endpoints/due-work.js';
import type { ReadState } from '#libs/endpoints/follow-ups.js';
import { defineServiceCommand, ServiceCommands } from '#libs/endpoints/service-commands.js';
import { laterOf } from '#libs/features/identity/public.js';
import type { Event } from '#libs/kernel/event.js';
import { Accepted, Delivered, DisputeWithdrawn, Hire, type HireRef, WageDue, WageLost } from './domain/hire.js';
import { partySources } from './party-sources.js';
import { announceWage, isPayableForAuditors, nextAnnouncement, type PayingMuses } from './domain/wage-due.js';
import { loadPayParties } from './views/pay-states.js';
import { nextOf, type PayTermDocument, PayTerms } from './views/pay-terms.js';

const laterParties = ({ poster, worker }: Pick<PayingMuses, 'poster' | 'worker'>) => ({
  posterLater: poster && laterOf(poster),
  workerLater: worker && laterOf(worker),
});

function musesOf(hire: Hire, read: ReadState): PayingMuses {
  const { poster, worker } = partySources(hire);
  const first = { poster: poster && read(poster), worker: worker && read(worker) };
  const { posterLater, workerLater } = laterParties(first);
  return {
    ...first,
    posterLater: posterLater && read(posterLater),
    workerLater: workerLater && read(workerLater),
  };
}

export const sayWageDue = defineServiceCommand('say-wage-due', {
  reason: 'the term to pay the wage goes on',
  events: [WageDue],
  causes: ['wage-due/<hire>/<at>'],
  follows: {
    after: [Delivered, Accepted, DisputeWithdrawn, WageDue, WageLost],
    about: (event: Event): HireRef[] => [{ hire: (event as EventOf<typeof Delivered>).data.hire }],
    dueAt({ hire: id }, read) {
      const hire = read(Hire.source(id));
      const muses = () => musesOf(hire, read);
      const next = nextAnnouncement(hire, muses);
      return next !== null && isPayableForAuditors(hire, muses()) ? next : null;
    },
  },
  writes: ({ hire }: HireRef) => Hire.source(hire),
  reads: (_about: HireRef, hire: Hire) => partySources(hire),
  readsNext: (reads: Pick<PayingMuses, 'poster' | 'worker'>) => laterParties(reads),
  decide: (hire, muses, _about, { at }) => announceWage(hire, muses, at),
  verify(_about, { own, read }) {
    const hire = own(Hire);
    if (!isPayableForAuditors(hire, musesOf(hire, read)))
      throw new NotReplayable('Only the service may know the payout address of the worker.');
  },
});

/** Pages of one pass: terms that stop stay in front of the index, and their number has no bound. */
const PAGES_MAX = 10;

/** Says how far the term to pay a wage is. Documents name the hires; those that stop are passed over. */
@Injectable()
export class PayClock {
  /** Place in the index at which the next pass continues; undefined at its start. */
  private after: readonly Scalar[] | undefined;

  constructor(
    private readonly models: ReadModels,
    private readonly commands: ServiceCommands,
  ) {}

  async pass(): Promise<void> {
    const at = this.commands.clock.now();
    const terms = this.models.of(PayTerms);
    for (let pages = 0; pages < PAGES_MAX; pages += 1) {
      const { after } = this;
      const page = await terms.find({ ...BY_NEXT, ...(after && { after }) });
      const reached = page.filter(({ body }) => body.next <= at);
      await this.act(reached);
      const last = reached.length < DUE_MAX ? undefined : reached.at(-1)!;
      this.after = last && [last.body.next, last.id];
      if (!last) return;
    }
  }

  private async act(terms: readonly { readonly body: PayTermDocument }[]): Promise<void> {
    const partiesFor = await loadPayParties(
      this.models,
      terms.map(({ body }) => body),
    );
    await runDueWork(this.commands, terms, {
      dueAt: term => nextOf(term, partiesFor(term)),
      act: ({ hire }, at) => this.commands.execute(sayWageDue, { hire }, { cause: `wage-due/${hire}/${at}`, at }),
    });
  }
}
