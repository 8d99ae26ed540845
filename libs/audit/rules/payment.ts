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

interface PaymentEvidence {
  readonly payment: string;
  readonly tx: string;
  readonly block: number;
}

function checkSettledBy({ payment, tx, block }: PaymentEvidence, facts: AuditState): string[] {
  const state = facts.payment(payment);
  const settled = state.status === 'settled' || state.status === 'applied' ? state : null;
  if (!settled) return [`Its payment ${payment} was not settled before it.`];
  const isSame = settled.tx === tx && settled.block === block;
  return failedConditions([
    isSame,
    `Its payment was settled in the transaction ${settled.tx} of block ${settled.block}.`,
  ]);
}

interface PaymentStreamEvent {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly data: { readonly payment: string };
}

/** Checks stream, id and the next step of the payment's state machine. */
function checkStep(
  event: PaymentStreamEvent,
  facts: AuditState,
  allowed: Step['do'][],
  observed: Partial<Observation> = {},
): string[] {
  const { payment } = event.data;
  const state = facts.payment(payment);
  const next = nextStep(state, { ...UNOBSERVED, claims: 'held', ...observed }).do;
  const ordinal = event.type === 'PaymentSettled' ? facts.settlementCount(payment) : 0;
  const isDerived = event.id === deriveEventId(`payment/${payment}`, event.stream, event.type, ordinal);
  return failedConditions(
    inStream(event, Payment.streamName(payment)),
    [isDerived || event.type === 'PaymentSubmitted', 'Its id is not derived from its payment.'],
    [allowed.includes(next), `The payment was ${state.status} before it, so its next step is: ${next}.`],
  );
}

const OPEN_WINDOW: AuthorizationStatus = { status: 'unused', window: 'open', refusal: null };

const EXPIRED_WINDOW: AuthorizationStatus = { status: 'unused', window: 'over', refusal: null };

function checkSubmitted(event: PaymentStreamEvent & { readonly at: number }, facts: AuditState): string[] {
  const state = facts.payment(event.data.payment);
  const isFirst = state.status === 'accepted' || (state.status === 'applied' && state.submitted.length === 0);
  return checkStep(event, facts, ['submit'], {
    authorizationStatus: OPEN_WINDOW,
    transaction: isFirst ? 'unsent' : 'failed',
    missingSince: state.status === 'applied' ? event.at : null,
  });
}

function checkRefused(event: EventOf<typeof PaymentRefused>, facts: AuditState): string[] {
  const { reason } = event.data;
  if (reason === SPENT) return checkStep(event, facts, ['refuse'], { authorizationStatus: { status: 'spent' } });
  return checkStep(event, facts, ['refuse'], { claims: { lost: reason } });
}

/** A reorganisation can move a transfer before it is final, so a payment can settle again. */
function checkSettled(event: EventOf<typeof PaymentSettled>, facts: AuditState): string[] {
  const { payment, tx, block, wage } = event.data;
  const state = facts.payment(payment);
  const isMoved = state.status === 'applied';
  const hasWage = isMoved && state.outcome === 'applied' && isUndone(state.accepted.data.endpoint, facts);
  const hire = wage && facts.hire(wage.hire);
  const isItsWage = hire?.status === 'paid' && hire.paid.data.payment === payment && hire.paid.data.item === wage?.item;
  return [
    ...checkStep(event, facts, ['settle'], {
      authorizationStatus: { status: 'used', tx, block },
      missingSince: isMoved ? event.at : null,
    }),
    ...failedConditions([wage === undefined ? !hasWage : isItsWage, 'It does not name the wage that it pays.']),
  ];
}

function checkLost(event: EventOf<typeof PaymentLost>, facts: AuditState): string[] {
  const { payment, tx, reason, undone, endpoint } = event.data;
  const state = facts.payment(payment);
  const applied = state.status === 'applied' ? state : null;
  const onChain: AuthorizationStatus = reason === EXPIRED ? EXPIRED_WINDOW : { status: 'spent' };
  return [
    ...checkStep(event, facts, ['lose'], { authorizationStatus: onChain, missingSince: event.at }),
    ...failedConditions(
      [
        applied === null || (applied.tx === tx && applied.accepted.data.endpoint === endpoint),
        'Its transaction or endpoint differs from the settled payment.',
      ],
      [
        undone === facts.revertedPayments.has(payment),
        `It says undone=${undone}, but the log ${undone ? 'does not revert' : 'reverts'} the purchase.`,
      ],
      [undone || !isUndone(endpoint, facts) || applied?.outcome !== 'applied', 'Its purchase was not reverted.'],
    ),
  ];
}

const isUndone = (endpoint: string, { sales }: AuditState) => sales.get(endpoint)?.isUndone ?? false;

function checkAccepted(event: EventOf<typeof PaymentAccepted>, facts: AuditState): string[] {
  const { payment, endpoint, muse_id: muse, rail: name, payer, nonce, amount, valid_before } = event.data;
  const rail = RAILS.find(rail => rail.name === name);
  const { authorization } = event;
  const price = facts.sales.get(endpoint)?.price ?? null;
  const requestEndpoint = 'endpoint' in authorization ? authorization.endpoint : 'no endpoint';
  return failedConditions(
    inStream(event, Payment.streamName(payment)),
    [facts.payment(payment).status === 'unknown', 'The payment had been accepted before.'],
    [
      event.id === deriveEventId(`payment/${payment}`, event.stream, event.type, 0),
      'Its id is not derived from its payment.',
    ],
    [
      payment === `${rail?.chainId}:${rail?.asset}:${payer}:${nonce}`.toLowerCase(),
      'Its payment id does not match its chain, asset, payer and nonce.',
    ],
    [requestEndpoint === endpoint && event.actor === muse, `Its request by ${event.actor} was for ${requestEndpoint}.`],
    [price === null || BigInt(amount) === price, `The price of ${endpoint} is ${price}, but it pays ${amount}.`],
    [Number(valid_before) * SECOND_MS > event.at, 'Its authorization had already expired.'],
    [isOwnWallet(event, facts), 'It is not paid from the wallet that it verifies.'],
    [isOwnHire(event), 'It names another hire than its request.'],
    [isOwnRequest(event), 'Its purchase differs from its request.'],
    [goesToPayee(event, facts), 'It does not go to an address of its payee.'],
  );
}

function isOwnWallet(
  { data: { endpoint, payer, fields } }: EventOf<typeof PaymentAccepted>,
  { sales }: AuditState,
): boolean {
  const payerField = sales.get(endpoint)?.payer ?? null;
  const wallet = payerField === null ? undefined : fields?.[payerField];
  return wallet === undefined || wallet.toLowerCase() === payer.toLowerCase();
}

const isOwnHire = ({ data: { hire, fields } }: EventOf<typeof PaymentAccepted>) =>
  hire === undefined || fields === null || fields['hire'] === String(hire);

const goesToPayee = (event: EventOf<typeof PaymentAccepted>, facts: AuditState) =>
  event.data.pay_to === null || includesReceiver(receiversOf(event, facts), event.data.pay_to) !== false;

function isOwnRequest({ data, authorization }: EventOf<typeof PaymentAccepted>): boolean {
  const { endpoint, muse_id: actor, fields, request_salt: salt } = data;
  const context = { actor };
  if (fields === null) return true;
  const text = comparableText({ endpoint, context, fields });
  const requestFields = 'sealed' in authorization ? (authorization.sealed?.fields ?? fields) : fields;
  const isCommitted = salt === null || isPaidRequest({ data }, { endpoint, context, fields });
  return isCommitted && comparableText({ endpoint, context, fields: requestFields }) === text;
}

function checkFee({ data: { budget, seats, payment } }: EventOf<typeof JobPosted>, facts: AuditState): string[] {
  if (payment === null) return [];
  const state = facts.payment(payment);
  if (state.status !== 'settled' && state.status !== 'applied')
    return [`The payment ${payment} of its fee was not settled.`];
  const { amount, rail } = state.accepted.data;
  const fee = budget && calculateFee(BigInt(budget.amount), seats);
  const isPaid = fee !== null && BigInt(amount) === fee && rail === budget!.rail;
  return failedConditions([isPaid, `Its fee is ${fee}, but ${amount} on ${rail} was paid.`]);
}

function checkWage({ data }: EventOf<typeof Paid>, facts: AuditState): string[] {
  const state = facts.payment(data.payment);
  const transfer = state.status === 'unknown' ? null : state.accepted.data;
  const isComplete = transfer === null || (transfer.amount === data.amount && transfer.rail === data.rail);
  return [
    ...failedConditions([isComplete, `Its payment was ${transfer?.amount} on ${transfer?.rail}.`]),
    ...checkSettledBy(data, facts),
  ];
}

function checkWageLost(event: EventOf<typeof WageLost>, facts: AuditState): string[] {
  const hire = facts.hire(event.data.hire);
  const wage = hire.status === 'paid' ? hire.paid : null;
  return failedConditions(
    inStream(event, Hire.streamName(event.data.hire)),
    byActor(event, 'service'),
    [
      wage !== null && canonicalJson(wage.data) === canonicalJson(event.data),
      'The hire was not paid by the payment that it names.',
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
    // The feed does not show effects of private types.
    const hasPublicEffect = outcome === 'applied' && (facts.sales.get(endpoint)?.effects ?? []).length > 0;
    const isApplied = !hasPublicEffect || facts.effects.has(payment);
    const sentence = `It says that ${endpoint} was applied, but no event before it names the payment.`;
    return [...checkStep(event, facts, ['apply']), ...failedConditions([isApplied, sentence])];
  }),
  ruleFor(PaymentLost, checkLost),
];
