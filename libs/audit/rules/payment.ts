import type { EventOf } from '#libs/domain/define.js';
import { Hire, Paid, WageLost } from '#libs/features/hires/domain/hire.js';
import { JobPosted } from '#libs/features/jobs/domain/job.js';
import { Verified } from '#libs/domain/muse.js';
import {
  Payment,
  PaymentAccepted,
  PaymentApplied,
  PaymentExpired,
  PaymentLost,
  PaymentRefused,
  PaymentSettled,
  PaymentSubmitted,
} from '#libs/domain/payment.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { eventId } from '#libs/kernel/ids.js';
import { FEE_PERCENT, percentRoundedUp } from '#libs/kernel/money.js';
import {
  EXPIRED,
  nextStep,
  type Observation,
  type OnChain,
  SPENT,
  type Step,
  UNOBSERVED,
} from '#libs/payments/machine.js';
import { RAILS } from '#libs/payments/rails.js';
import { comparedText, isPaidRequest } from '#libs/payments/request-commitment.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import type { Facts } from './facts.js';
import { isAmong, receiversOf } from './receivers.js';
import { byActor, inStream, on, unless } from './rule.js';

/** What names the payment that it rests on. */
interface OnPayment {
  readonly payment: string;
  readonly tx: string;
  readonly block: number;
}

/** A payment reached the chain, in the transaction and the block that an event names. */
function settledWith({ payment, tx, block }: OnPayment, facts: Facts): string[] {
  const state = facts.payment(payment);
  const settled = state.status === 'settled' || state.status === 'applied' ? state : null;
  if (!settled) return [`Its payment ${payment} was not settled before it.`];
  const same = settled.tx === tx && settled.block === block;
  return unless([same, `Its payment was settled in ${settled.tx} of block ${settled.block}.`]);
}

interface OfPayment {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly data: { readonly payment: string };
}

/** In the payment's own stream, under an id derived from the payment, and what the payment's machine does next. */
function step(event: OfPayment, facts: Facts, wanted: Step['do'][], observed: Partial<Observation> = {}): string[] {
  const { payment } = event.data;
  const state = facts.payment(payment);
  const next = nextStep(state, { ...UNOBSERVED, claims: 'had', ...observed }).do;
  const ordinal = event.type === 'PaymentSettled' ? facts.settled(payment) : 0;
  const derived = event.id === eventId(`payment/${payment}`, event.stream, event.type, ordinal);
  return unless(
    inStream(event, Payment.named(payment)),
    [derived || event.type === 'PaymentSubmitted', 'Its id is not derived from its payment.'],
    [wanted.includes(next), `The payment was ${state.status} before it: what comes next is to ${next}.`],
  );
}

const open: OnChain = { status: 'unused', window: 'open', refusal: null };

const over: OnChain = { status: 'unused', window: 'over', refusal: null };

/** A transaction is signed once a payment was accepted, and another one where the last got nowhere. */
function submitted(event: OfPayment & { readonly at: number }, facts: Facts): string[] {
  const state = facts.payment(event.data.payment);
  const first = state.status === 'accepted' || (state.status === 'applied' && state.submitted.length === 0);
  const goneSince = state.status === 'applied' ? event.at : null;
  return step(event, facts, ['submit'], { onChain: open, transaction: first ? 'unsent' : 'failed', goneSince });
}

function refused(event: EventOf<typeof PaymentRefused>, facts: Facts): string[] {
  const { reason } = event.data;
  if (reason === SPENT) return step(event, facts, ['refuse'], { onChain: { status: 'spent' } });
  return step(event, facts, ['refuse'], { claims: { lost: reason } });
}

/** Once, or again where a reorganisation has moved the transfer before it was final. */
function settled(event: EventOf<typeof PaymentSettled>, facts: Facts): string[] {
  const { payment, tx, block, wage } = event.data;
  const state = facts.payment(payment);
  const again = state.status === 'applied';
  const rests = again && state.outcome === 'applied' && isUndone(state.accepted.data.endpoint, facts);
  const hire = wage && facts.hire(wage.hire);
  const named = hire?.status === 'paid' && hire.paid.data.payment === payment && hire.paid.data.item === wage?.item;
  return [
    ...step(event, facts, ['settle'], { onChain: { status: 'used', tx, block }, goneSince: again ? event.at : null }),
    ...unless([wage === undefined ? !rests : named, 'It does not name the wage that rests on it.']),
  ];
}

function lost(event: EventOf<typeof PaymentLost>, facts: Facts): string[] {
  const { payment, tx, reason, undone, endpoint } = event.data;
  const state = facts.payment(payment);
  const had = state.status === 'applied' ? state : null;
  const onChain: OnChain = reason === EXPIRED ? over : { status: 'spent' };
  return [
    ...step(event, facts, ['lose'], { onChain, goneSince: event.at }),
    ...unless(
      [had === null || (had.tx === tx && had.accepted.data.endpoint === endpoint), 'It is not what had settled.'],
      [undone === facts.undone.has(payment), 'It does not say rightly whether what it had bought was taken back.'],
      [undone || !isUndone(endpoint, facts) || had?.outcome !== 'applied', 'What it had bought was not taken back.'],
    ),
  ];
}

const isUndone = (endpoint: string, { sales }: Facts) => sales.get(endpoint)?.isUndone ?? false;

/** The purchase is that of the very request that was authorized, by the authorization that names the payment. */
function accepted(event: EventOf<typeof PaymentAccepted>, facts: Facts): string[] {
  const { payment, endpoint, muse_id: muse, rail: name, payer, nonce, amount, valid_before } = event.data;
  const rail = RAILS.find(rail => rail.name === name);
  const { authorization } = event;
  const price = facts.sales.get(endpoint)?.price ?? null;
  const asked = 'endpoint' in authorization ? authorization.endpoint : 'nobody';
  return unless(
    inStream(event, Payment.named(payment)),
    [facts.payment(payment).status === 'unknown', 'The payment had been accepted before.'],
    [
      event.id === eventId(`payment/${payment}`, event.stream, event.type, 0),
      'Its id is not derived from its payment.',
    ],
    [payment === `${rail?.chainId}:${rail?.asset}:${payer}:${nonce}`.toLowerCase(), 'It is named after another one.'],
    [asked === endpoint && event.actor === muse, `Its request was ${event.actor}’s, for ${asked}.`],
    [price === null || BigInt(amount) === price, `The price of ${endpoint} is ${price}; it is of ${amount}.`],
    [Number(valid_before) * SECOND_MS > event.at, 'Its authorization had ended before.'],
    [isOwnWallet(event, facts), 'It is paid from another wallet than the one that is to be verified.'],
    [isOwnHire(event), 'It names another hire than was asked for.'],
    [isOwnRequest(event), 'What it pays for is not what was asked for.'],
    [goesToPayee(event, facts), 'It goes to another address than the one that its payee is paid at.'],
  );
}

/** What binds the wallet that pays names it. */
function isOwnWallet(
  { data: { endpoint, payer, fields } }: EventOf<typeof PaymentAccepted>,
  { sales }: Facts,
): boolean {
  const named = sales.get(endpoint)?.payer ?? null;
  const wallet = named === null ? undefined : fields?.[named];
  return wallet === undefined || wallet.toLowerCase() === payer.toLowerCase();
}

const isOwnHire = ({ data: { hire, fields } }: EventOf<typeof PaymentAccepted>) =>
  hire === undefined || fields === null || fields['hire'] === String(hire);

/** What is seen of the receiver, where the key is at hand that it is held with, must be the payee's. */
const goesToPayee = (event: EventOf<typeof PaymentAccepted>, facts: Facts) =>
  event.data.pay_to === null || isAmong(receiversOf(event, facts), event.data.pay_to) !== false;

/** Whether fields and commitment are those of the request, where they are shown. */
function isOwnRequest({ data, authorization }: EventOf<typeof PaymentAccepted>): boolean {
  const { endpoint, muse_id: actor, fields, request_salt: salt } = data;
  const context = { actor };
  if (fields === null) return true;
  const text = comparedText({ endpoint, context, fields });
  const asked = 'sealed' in authorization ? (authorization.sealed?.fields ?? fields) : fields;
  const committed = salt === null || isPaidRequest({ data }, { endpoint, context, fields });
  return committed && comparedText({ endpoint, context, fields: asked }) === text;
}

/** The fee was paid in full, on the job's own rail: its price follows from the request. */
function feePaid({ data: { budget, seats, payment } }: EventOf<typeof JobPosted>, facts: Facts): string[] {
  if (payment === null) return [];
  const state = facts.payment(payment);
  if (state.status !== 'settled' && state.status !== 'applied')
    return [`The fee's payment ${payment} was not settled.`];
  const { amount, rail } = state.accepted.data;
  const fee = budget && percentRoundedUp(BigInt(budget.amount) * BigInt(seats), FEE_PERCENT);
  const isPaid = fee !== null && BigInt(amount) === fee && rail === budget!.rail;
  return unless([isPaid, `Its fee is ${fee}; ${amount} on ${rail} were paid.`]);
}

/** The payment of a wage moved all of it. */
function wagePaid({ data }: EventOf<typeof Paid>, facts: Facts): string[] {
  const state = facts.payment(data.payment);
  const moved = state.status === 'unknown' ? null : state.accepted.data;
  const isWhole = moved === null || (moved.amount === data.amount && moved.rail === data.rail);
  return [...unless([isWhole, `Its payment was of ${moved?.amount} on ${moved?.rail}.`]), ...settledWith(data, facts)];
}

/** The service takes back what a wage counted, once. */
function wageLost(event: EventOf<typeof WageLost>, facts: Facts): string[] {
  const hire = facts.hire(event.data.hire);
  const wage = hire.status === 'paid' ? hire.paid : null;
  return unless(
    inStream(event, Hire.named(event.data.hire)),
    byActor(event, 'service', 'the service'),
    [
      wage !== null && canonicalJson(wage.data) === canonicalJson(event.data),
      'The hire was not paid by what it names.',
    ],
    [facts.payment(event.data.payment).status === 'applied', 'Its payment had not settled.'],
  );
}

export const PAYMENT_RULES = [
  on(JobPosted, feePaid),
  on(Paid, wagePaid),
  on(Verified, ({ data }, facts) => settledWith(data, facts)),
  on(WageLost, wageLost),
  on(PaymentAccepted, accepted),
  on(PaymentSubmitted, submitted),
  on(PaymentSettled, settled),
  on(PaymentRefused, refused),
  on(PaymentExpired, (event, facts) => step(event, facts, ['expire'], { onChain: over })),
  on(PaymentApplied, (event, facts) => {
    const { payment, outcome, endpoint } = event.data;
    // The feed does not show an effect of a private type.
    const named = outcome === 'applied' && (facts.sales.get(endpoint)?.effects ?? []).length > 0;
    const effect = !named || facts.effects.has(payment);
    const sentence = `It says that ${endpoint} was carried out, and no event before it names the payment.`;
    return [...step(event, facts, ['apply']), ...unless([effect, sentence])];
  }),
  on(PaymentLost, lost),
];
