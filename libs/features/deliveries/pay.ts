import { defineCommand, w } from '#libs/endpoints/declare.js';
import { HiddenValueRefusal } from '#libs/endpoints/decision.js';
import { Journal } from '#libs/event-log/journal.js';
import { rule } from '#libs/kernel/refusal.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import { isEscrowOpen, isReleased } from '#libs/features/hires/domain/escrow.js';
import {
  Accepted,
  type DeliveredHire,
  EscrowDecided,
  hasDelivery,
  Hire,
  type KnownHire,
} from '#libs/features/hires/domain/hire.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { Muse } from '#libs/domain/muse.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { payeeOf } from '#libs/features/identity/public.js';
import { receiptItem, ReceiptLinks } from '#libs/features/feed/views/receipts.js';
import { Receipt } from '#libs/features/feed/views/item.shape.js';
import { PAID } from '#libs/views/shapes/payment.js';
import { acceptDelivery } from './acceptance.js';
import * as rules from '#libs/features/hires/public.js';
import {
  assertCanPay,
  type PaidHire,
  type PayableHire,
  recordWage,
  startWage,
  takeBackWage,
  wagePrice,
  wageSubject,
} from './wage.js';

const isPaid = (hire: Hire): hire is PaidHire => hire.status === 'paid';

/** Whether nothing is left to pay: the wage is paid, or an escrow holds or releases it. */
const isCovered = (hire: KnownHire): boolean => isPaid(hire) || isEscrowOpen(hire) || isReleased(hire);

async function titleOf(journal: Journal, { role }: PayableHire): Promise<string | null> {
  const { state: job } = await journal.load(Job.source(role));
  return job.status === 'unknown' ? null : job.title;
}

const assertPayee = (isForgotten: boolean) =>
  rule(!isForgotten, 'worker_forgotten', 'The worker has erased its identity, so the wage cannot be paid.');

export const pay = defineCommand('pay', {
  scope: 'work',
  fields: { hire: rules.hireId, digest: rules.deliveryDigest },
  events: [Accepted, EscrowDecided],
  ...rules.onHire,
  uses: { ...rules.onHire.uses, journal: Journal, settings: PaymentSettings, links: ReceiptLinks },
  decide(hire, { digest }, { actor }, { own }) {
    const identities = actingIdentities(actor, own);
    assertCanPay(hire, digest, identities);
    return isEscrowOpen(hire) ? acceptDelivery(hire, { digest }, identities) : [];
  },
  answer: w.object({ hire: w.optional(w.means('Id of the hire', w.id)), receipt: w.optional(Receipt), ...PAID }),
  isExpectedState: (hire): hire is DeliveredHire => hasDelivery(hire) && isCovered(hire),
  /** The receipt of an escrow follows its release. */
  then: async ({ state, position }, { journal, links }) =>
    isPaid(state)
      ? { position: state.paid.position, receipt: await receiptItem(journal, state.paid, links) }
      : { position },
  reply: ({ state }, { receipt }) => ({
    hire: state.hire,
    paid: isPaid(state),
    ...(receipt && { receipt }),
    payment: null,
  }),
  sale: {
    payee: 'worker',
    pricedBy: ['hire', 'digest'],
    sample: {
      request: { hire: rules.EXAMPLE_HIRE },
      answer: { ok: true, hire: Number(rules.EXAMPLE_HIRE), paid: true },
    },
    /** Null if nothing is to pay, or the price would reveal a payout address: it is private until a wage on the chain shows it. */
    async price({ hire: id }, { journal, settings }) {
      const { state: hire } = await journal.load(Hire.source(id!));
      rules.assertHireExists(hire);
      if (hire.status !== 'delivered' || hire.wage === null || isCovered(hire)) return null;
      const { verified, isForgotten } = await payeeOf(journal, hire.worker);
      assertPayee(isForgotten);
      if (verified === null) return null;
      const payable = { ...hire, wage: hire.wage };
      return wagePrice(payable, await titleOf(journal, payable), verified, settings);
    },
    async purchase({ hire: id, digest }, { actor }, { journal, settings }) {
      const [{ state: hire }, { state: own }] = await Promise.all([
        journal.load(Hire.source(id)),
        journal.load(Muse.source(actor)),
      ]);
      assertCanPay(hire, digest, actingIdentities(actor, own));
      if (isCovered(hire) || hire.status === 'paid') return null;
      const [{ payTo, isForgotten }, title] = await Promise.all([
        payeeOf(journal, hire.worker),
        titleOf(journal, hire),
      ]);
      assertPayee(isForgotten);
      if (payTo === null)
        throw new HiddenValueRefusal(
          'worker_has_no_wallet',
          'The worker has no verified wallet and no payout address, so it cannot be paid yet.',
        );
      return {
        ...wagePrice(hire, title, payTo, settings),
        things: [{ kind: 'purchase', value: `pay/${id}` }],
        owner: Muse.streamName(actor),
        subject: wageSubject(hire),
        hire: id,
      };
    },
    subjectOf: ({ hire }) => ({ hire }),
    begin: startWage,
    effect: recordWage,
    undo: takeBackWage,
    async reply({ state }, { hire }, { journal, links }) {
      if (!isPaid(state)) return {};
      return { hire, paid: true, receipt: await receiptItem(journal, state.paid, links) };
    },
  },
  errors: [
    'not_found',
    'not_the_poster',
    'with_itself',
    'no_budget',
    'hire_ended',
    'not_delivered',
    'delivery_changed',
    'worker_forgotten',
    'worker_has_no_wallet',
  ],
  doc: {
    tag: 'Hires',
    tool: { name: 'pay', title: 'Pay a wage', effect: 'replaceOnce' },
    summary: 'Pay the wage of a hire',
    details:
      'Pays the wage of the hire, on the rail of the job, to the verified wallet of the worker, else to its payout ' +
      'address. If the worker is linked to a later identity, the addresses of that identity come first. If the hire is ' +
      'already paid, you get the same receipt and `payment` is null. The wage of a worker that erased its identity cannot ' +
      'be paid (409 `worker_forgotten`). While an escrow holds the wage, `pay` accepts the delivery and takes no payment.',
    example: { hire: rules.EXAMPLE_HIRE },
  },
});
