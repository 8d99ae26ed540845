import { Refusal, rule } from '#libs/kernel/refusal.js';
import type { PaymentSettings } from '#libs/payments/payment.settings.js';
import type { PaymentAcceptedEvent, Price, SettledPaymentState } from '#libs/payments/purchase.js';
import { Hire, hasDelivery, Paid, partiesOf, WageLost, WageStarted } from '#libs/features/hires/domain/hire.js';
import { isEscrowOpen, isReleased } from '#libs/features/hires/domain/escrow.js';
import type { Budget } from '#libs/features/jobs/domain/job-fields.js';
import { Muse } from '#libs/domain/muse.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { Payment } from '#libs/domain/payment.js';
import { requireVisible } from '#libs/endpoints/decision.js';
import { onAccepted, onSettled, onReverted } from '#libs/endpoints/paid-action.js';
import * as rules from '#libs/features/hires/public.js';

export type PaidHire = Extract<Hire, { status: 'paid' }>;
export type PayableHire = Extract<Hire, { status: 'delivered' }> & { readonly wage: Budget };

/** Accepts a paid hire too: paying again returns the same receipt. */
export function assertCanPay(
  hire: Hire,
  digest: string | undefined,
  ids: readonly string[],
): asserts hire is PayableHire | PaidHire {
  rules.assertHireExists(hire);
  rules.actAsPoster(hire, ids);
  if (hire.status === 'paid') return;
  rule(hire.wage !== null, 'no_budget', 'This hire has no budget, so there is no wage to pay.');
  rules.assertDelivered(hire);
  rules.assertSameDelivery(hire, digest);
}

function isPayable(hire: Hire, digest: string | undefined, ids: readonly string[]): hire is PayableHire {
  try {
    assertCanPay(hire, digest, ids);
    return hire.status !== 'paid' && !isEscrowOpen(hire) && !isReleased(hire);
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** Names the job by its title, which people know; null once erased. */
export function wagePrice(
  { hire, wage }: PayableHire,
  title: string | null,
  payTo: string,
  { rails }: PaymentSettings,
): Price {
  const work = title === null ? `hire ${hire}` : `“${title}”`;
  return {
    path: '/api/pay',
    description: `The wage for ${work}: ${wage.usd} ${wage.token} to its worker`,
    amount: BigInt(wage.amount),
    payTo,
    rails: rails.filter(({ name }) => name === wage.rail),
  };
}

export const wageSubject = ({ hire, delivery }: PayableHire) => ({ hire, delivery: delivery.delivery });

const subjectOf = ({ data }: PaymentAcceptedEvent) => requireVisible(data.subject) as ReturnType<typeof wageSubject>;

const hireOf = ({ data }: PaymentAcceptedEvent) => requireVisible(data.hire);

/** Writes nothing if the wage can no longer be paid, or a newer delivery replaces the one to pay for. */
export const startWage = onAccepted('pay-begin', {
  events: [WageStarted],
  writes: accepted => Hire.source(hireOf(accepted)),
  reads: ({ actor }) => ({ own: Muse.source(actor) }),
  decide(hire, accepted, _context, reads) {
    const { payment, fields } = accepted.data;
    if (!isPayable(hire, fields?.['digest'], actingIdentities(accepted.actor, reads?.['own'] as Muse | undefined)))
      return [];
    const { delivery, digest = null } = hire.delivery;
    if (delivery !== subjectOf(accepted).delivery) return [];
    return [WageStarted({ ...partiesOf(hire), payment, delivery, digest })];
  },
});

export const recordWage = onSettled('pay-effect', {
  events: [Paid],
  writes: ({ accepted }) => Hire.source(hireOf(accepted)),
  decide(hire, { accepted, tx, block }, { ids }) {
    if (hire.status !== 'delivered' || hire.wage === null) return [];
    if (hire.startedWage?.payment !== accepted.data.payment) return [];
    const { amount, usd, token, rail, network } = hire.wage;
    const item = ids.item('receipt');
    return [Paid({ ...partiesOf(hire), ...hire.startedWage, item, amount, usd, token, rail, network, tx, block })];
  },
});

const isPaidBy = (hire: Hire, { accepted }: SettledPaymentState): hire is PaidHire =>
  hire.status === 'paid' && hire.paid.data.payment === accepted.data.payment;

/** The hire is unpaid again and can be paid once more. */
export const takeBackWage = onReverted({
  events: [WageLost],
  writes: ({ accepted }) => Hire.source(hireOf(accepted)),
  decide(hire, payment) {
    return isPaidBy(hire, payment) ? [WageLost(hire.paid.data)] : [];
  },
  wage: (hire, payment) => (isPaidBy(hire, payment) ? { hire: hire.hire, item: hire.paid.data.item } : null),
});

export const wagePayment = (hire: Hire) =>
  hasDelivery(hire) && hire.startedWage ? Payment.source(hire.startedWage.payment) : undefined;
