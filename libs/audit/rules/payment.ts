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
import { deriveEventId } from '#libs/kernel/ids.js';
import { calculateFee } from '#libs/kernel/money.js';
import {
  EXPIRED,
  nextStep,
  type Observation,
  type AuthorizationStatus,
  SPENT,
  type Step,
  UNOBSERVED,
} from '#libs/payments/payment-machine.js';
import { RAILS } from '#libs/payments/rails.js';
import { comparableText, isPaidRequest } from '#libs/payments/request-commitment.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import type { AuditState } from './audit-state.js';
import { includesReceiver, receiversOf } from './receivers.js';
import { byActor, inStream, ruleFor, failedConditions } from './rule.js';

/** What names the payment that it rests on. */
interface PaymentEvidence {
  readonly payment: string;
  readonly tx: string;
  readonly block: number;
}

/** A payment reached the chain, in the transaction and the block that an event names. */
function checkSettledBy({ payment, tx, block }: PaymentEvidence, facts: AuditState): string[] {
  const state = facts.payment(payment);
  const settled = state.status === 'settled' || state.status === 'applied' ? state : null;
  if (!settled) return [`Its payment ${payment} was not settled before it.`];
  const same = settled.tx === tx && settled.block === block;
  return failedConditions([same, `Its payment was settled in ${settled.tx} of block ${settled.block}.`]);
}

interface PaymentStreamEvent {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly data: { readonly payment: string };
}

/** In the payment's own stream, under an id derived from the payment, and what the payment's machine does next. */
function checkStep(
  event: PaymentStreamEvent,
  facts: AuditState,
  wanted: Step['do'][],
  observed: Partial<Observation> = {},
): string[] {
  const { payment } = event.data;
  const state = facts.payment(payment);
  const next = nextStep(state, { ...UNOBSERVED, claims: 'had', ...observed }).do;
  const ordinal = event.type === 'PaymentSettled' ? facts.settlementCount(payment) : 0;
  const derived = event.id === deriveEventId(`payment/${payment}`, event.stream, event.type, ordinal);
  return failedConditions(
    inStream(event, Payment.streamName(payment)),
    [derived || event.type === 'PaymentSubmitted', 'Its id is not derived from its payment.'],
    [wanted.includes(next), `The payment was ${state.status} before it: what comes next is to ${next}.`],
  );
}

const OPEN_WINDOW: AuthorizationStatus = { status: 'unused', window: 'open', refusal: null };

const EXPIRED_WINDOW: AuthorizationStatus = { status: 'unused', window: 'over', refusal: null };

/** A transaction is signed once a payment was accepted, and another one where the last got nowhere. */
function checkSubmitted(event: PaymentStreamEvent & { readonly at: number }, facts: AuditState): string[] {
  const state = facts.payment(event.data.payment);
  const first = state.status === 'accepted' || (state.status === 'applied' && state.submitted.length === 0);
  const goneSince = state.status === 'applied' ? event.at : null;
  return checkStep(event, facts, ['submit'], {
    authorizationStatus: OPEN_WINDOW,
    transaction: first ? 'unsent' : 'failed',
    missingSince: goneSince,
  });
}

function checkRefused(event: EventOf<typeof PaymentRefused>, facts: AuditState): string[] {
  const { reason } = event.data;
  if (reason === SPENT) return checkStep(event, facts, ['refuse'], { authorizationStatus: { status: 'spent' } });
  return checkStep(event, facts, ['refuse'], { claims: { lost: reason } });
}

/** Once, or again where a reorganisation has moved the transfer before it was final. */
function checkSettled(event: EventOf<typeof PaymentSettled>, facts: AuditState): string[] {
  const { payment, tx, block, wage } = event.data;
  const state = facts.payment(payment);
  const again = state.status === 'applied';
  const rests = again && state.outcome === 'applied' && isUndone(state.accepted.data.endpoint, facts);
  const hire = wage && facts.hire(wage.hire);
  const named = hire?.status === 'paid' && hire.paid.data.payment === payment && hire.paid.data.item === wage?.item;
  return [
    ...checkStep(event, facts, ['settle'], {
      authorizationStatus: { status: 'used', tx, block },
      missingSince: again ? event.at : null,
    }),
    ...failedConditions([wage === undefined ? !rests : named, 'It does not name the wage that rests on it.']),
  ];
}

function checkLost(event: EventOf<typeof PaymentLost>, facts: AuditState): string[] {
  const { payment, tx, reason, undone, endpoint } = event.data;
  const state = facts.payment(payment);
  const had = state.status === 'applied' ? state : null;
  const onChain: AuthorizationStatus = reason === EXPIRED ? EXPIRED_WINDOW : { status: 'spent' };
  return [
    ...checkStep(event, facts, ['lose'], { authorizationStatus: onChain, missingSince: event.at }),
    ...failedConditions(
      [had === null || (had.tx === tx && had.accepted.data.endpoint === endpoint), 'It is not what had settled.'],
      [
        undone === facts.revertedPayments.has(payment),
        'It does not say rightly whether what it had bought was taken back.',
      ],
      [undone || !isUndone(endpoint, facts) || had?.outcome !== 'applied', 'What it had bought was not taken back.'],
    ),
  ];
}

const isUndone = (endpoint: string, { sales }: AuditState) => sales.get(endpoint)?.isUndone ?? false;

/** The purchase is that of the very request that was authorized, by the authorization that names the payment. */
function checkAccepted(event: EventOf<typeof PaymentAccepted>, facts: AuditState): string[] {
  const { payment, endpoint, muse_id: muse, rail: name, payer, nonce, amount, valid_before } = event.data;
  const rail = RAILS.find(rail => rail.name === name);
  const { authorization } = event;
  const price = facts.sales.get(endpoint)?.price ?? null;
  const asked = 'endpoint' in authorization ? authorization.endpoint : 'nobody';
  return failedConditions(
    inStream(event, Payment.streamName(payment)),
    [facts.payment(payment).status === 'unknown', 'The payment had been accepted before.'],
    [
      event.id === deriveEventId(`payment/${payment}`, event.stream, event.type, 0),
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
  { sales }: AuditState,
): boolean {
  const named = sales.get(endpoint)?.payer ?? null;
  const wallet = named === null ? undefined : fields?.[named];
  return wallet === undefined || wallet.toLowerCase() === payer.toLowerCase();
}

const isOwnHire = ({ data: { hire, fields } }: EventOf<typeof PaymentAccepted>) =>
  hire === undefined || fields === null || fields['hire'] === String(hire);

/** What is seen of the receiver, where the key is at hand that it is held with, must be the payee's. */
const goesToPayee = (event: EventOf<typeof PaymentAccepted>, facts: AuditState) =>
  event.data.pay_to === null || includesReceiver(receiversOf(event, facts), event.data.pay_to) !== false;

/** Whether fields and commitment are those of the request, where they are shown. */
function isOwnRequest({ data, authorization }: EventOf<typeof PaymentAccepted>): boolean {
  const { endpoint, muse_id: actor, fields, request_salt: salt } = data;
  const context = { actor };
  if (fields === null) return true;
  const text = comparableText({ endpoint, context, fields });
  const asked = 'sealed' in authorization ? (authorization.sealed?.fields ?? fields) : fields;
  const committed = salt === null || isPaidRequest({ data }, { endpoint, context, fields });
  return committed && comparableText({ endpoint, context, fields: asked }) === text;
}

/** The fee was paid in full, on the job's own rail: its price follows from the request. */
function checkFee({ data: { budget, seats, payment } }: EventOf<typeof JobPosted>, facts: AuditState): string[] {
  if (payment === null) return [];
  const state = facts.payment(payment);
  if (state.status !== 'settled' && state.status !== 'applied')
    return [`The fee's payment ${payment} was not settled.`];
  const { amount, rail } = state.accepted.data;
  const fee = budget && calculateFee(BigInt(budget.amount), seats);
  const isPaid = fee !== null && BigInt(amount) === fee && rail === budget!.rail;
  return failedConditions([isPaid, `Its fee is ${fee}; ${amount} on ${rail} were paid.`]);
}

/** The payment of a wage moved all of it. */
function checkWage({ data }: EventOf<typeof Paid>, facts: AuditState): string[] {
  const state = facts.payment(data.payment);
  const moved = state.status === 'unknown' ? null : state.accepted.data;
  const isWhole = moved === null || (moved.amount === data.amount && moved.rail === data.rail);
  return [
    ...failedConditions([isWhole, `Its payment was of ${moved?.amount} on ${moved?.rail}.`]),
    ...checkSettledBy(data, facts),
  ];
}

/** The service takes back what a wage counted, once. */
function checkWageLost(event: EventOf<typeof WageLost>, facts: AuditState): string[] {
  const hire = facts.hire(event.data.hire);
  const wage = hire.status === 'paid' ? hire.paid : null;
  return failedConditions(
    inStream(event, Hire.streamName(event.data.hire)),
    byActor(event, 'service', 'the service'),
    [
      wage !== null && canonicalJson(wage.data) === canonicalJson(event.data),
      'The hire was not paid by what it names.',
    ],
    [facts.payment(event.data.payment).status === 'applied', 'Its payment had not settled.'],
  );
}

export const PAYMENT_RULES = [
  ruleFor(JobPosted, checkFee),
  ruleFor(Paid, checkWage),
  ruleFor(Verified, ({ data }, facts) => checkSettledBy(data, facts)),
  ruleFor(WageLost, checkWageLost),
  ruleFor(PaymentAccepted, checkAccepted),
  ruleFor(PaymentSubmitted, checkSubmitted),
  ruleFor(PaymentSettled, checkSettled),
  ruleFor(PaymentRefused, checkRefused),
  ruleFor(PaymentExpired, (event, facts) =>
    checkStep(event, facts, ['expire'], { authorizationStatus: EXPIRED_WINDOW }),
  ),
  ruleFor(PaymentApplied, (event, facts) => {
    const { payment, outcome, endpoint } = event.data;
    // The feed does not show an effect of a private type.
    const named = outcome === 'applied' && (facts.sales.get(endpoint)?.effects ?? []).length > 0;
    const effect = !named || facts.effects.has(payment);
    const sentence = `It says that ${endpoint} was carried out, and no event before it names the payment.`;
    return [...checkStep(event, facts, ['apply']), ...failedConditions([effect, sentence])];
  }),
  ruleFor(PaymentLost, checkLost),
];
