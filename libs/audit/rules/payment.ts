import { isDeepStrictEqual } from 'node:util';
import type { EventOf } from '#libs/domain/define.js';
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
import { requestFieldsOf } from '#libs/kernel/event.js';
import {
  EXPIRED,
  nextStep,
  type Observation,
  type AuthorizationStatus,
  SPENT,
  type Step,
  UNOBSERVED,
} from '#libs/payments/payment-machine.js';
import { isEscrowContract } from '#libs/payments/escrow-contracts.js';
import { signedPayment } from '#libs/payments/ledger.js';
import { RAILS } from '#libs/payments/rails.js';
import { comparableText, isPaidRequest } from '#libs/payments/request-commitment.js';
import type { AuditState } from './audit-state.js';
import { isAccountOf } from './escrow.js';
import { includesReceiver, receiversOf } from './receivers.js';
import { isCounted, namesItsLimit } from './spending.js';
import { inStream, ruleFor, failedConditions } from './rule.js';

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
  return failedConditions(inStream(event, Payment.streamName(payment)), [
    allowed.includes(next),
    `The payment was ${state.status} before it, so its next step is: ${next}.`,
  ]);
}

const OPEN_WINDOW: AuthorizationStatus = { status: 'unused', window: 'open', refusal: null };

const EXPIRED_WINDOW: AuthorizationStatus = { status: 'unused', window: 'over', refusal: null };

function checkSubmitted(event: EventOf<typeof PaymentSubmitted>, facts: AuditState): string[] {
  const state = facts.payment(event.data.payment);
  const isFirst = state.status === 'accepted' || (state.status === 'applied' && state.submitted.length === 0);
  const isWithinLimit = state.status !== 'accepted' || isCounted(state.accepted, facts);
  return [
    ...checkStep(event, facts, ['submit'], {
      onChain: OPEN_WINDOW,
      transaction: isFirst ? 'unsent' : 'failed',
      missingSince: state.status === 'applied' ? event.at : null,
    }),
    ...failedConditions(
      [isWithinLimit, 'It was not counted towards the daily sum of its token.'],
      [isAccountOf(state, event.data.relayer), 'Its account is not the operator of its escrow, so it cannot fund it.'],
    ),
  ];
}

function checkRefused(event: EventOf<typeof PaymentRefused>, facts: AuditState): string[] {
  const { reason } = event.data;
  if (reason === SPENT) return checkStep(event, facts, ['refuse'], { onChain: { status: 'spent' } });
  return checkStep(event, facts, ['refuse'], { claims: { lost: reason } });
}

/** A reorganisation can move a transfer before it is final, so a payment can settle again. */
function checkSettled(event: EventOf<typeof PaymentSettled>, facts: AuditState): string[] {
  const { payment, tx, block, wage } = event.data;
  const state = facts.payment(payment);
  const isMoved = state.status === 'applied';
  const expected = isMoved ? (reversalOf(state, facts)?.wage ?? null) : null;
  return [
    ...checkStep(event, facts, ['settle'], {
      onChain: { status: 'used', tx, block },
      missingSince: isMoved ? event.at : null,
    }),
    ...failedConditions([isDeepStrictEqual(wage ?? null, expected), 'It does not name the wage that it pays.']),
  ];
}

const OUTCOMES: readonly unknown[] = ['applied', 'void'];

/** `VoidPaymentCheck` decides again why a payment is void. */
function checkApplied(event: EventOf<typeof PaymentApplied>, facts: AuditState): string[] {
  const { outcome, reason } = event.data;
  const hasReason = reason !== null;
  return [
    ...checkStep(event, facts, ['apply']),
    ...failedConditions([
      OUTCOMES.includes(outcome) && hasReason === (outcome === 'void'),
      'It is neither applied without a reason nor void with one.',
    ]),
  ];
}

const LOSSES: readonly string[] = [EXPIRED, SPENT];

function checkLost(event: EventOf<typeof PaymentLost>, facts: AuditState): string[] {
  const { payment, tx, reason, undone, endpoint, muse_id: muse } = event.data;
  const state = facts.payment(payment);
  const applied = state.status === 'applied' ? state : null;
  const onChain: AuthorizationStatus = reason === EXPIRED ? EXPIRED_WINDOW : { status: 'spent' };
  return [
    ...checkStep(event, facts, ['lose'], { onChain, missingSince: event.at }),
    ...failedConditions(
      [
        applied === null || (applied.tx === tx && applied.accepted.data.endpoint === endpoint),
        'Its transaction or endpoint differs from the settled payment.',
      ],
      [applied === null || applied.accepted.data.muse_id === muse, 'It names another agent than its acceptance.'],
      [LOSSES.includes(reason), 'Its reason is not one that the chain can show.'],
      [
        undone === facts.revertedPayments.has(payment),
        `It says undone=${undone}, but the log ${undone ? 'does not revert' : 'reverts'} the purchase.`,
      ],
      [undone || !applied || !reversalOf(applied, facts)?.isPossible, 'Its purchase was not reverted.'],
    ),
  ];
}

/** Reversal that a loss of the payment would cause now; null if its effect stays. */
function reversalOf(payment: Extract<Payment, { status: 'applied' }>, { sales, history }: AuditState) {
  const undo = sales.get(payment.accepted.data.endpoint)?.undo;
  if (!undo || payment.outcome !== 'applied') return null;
  const { stream, entity } = undo.writes(payment);
  const state = history.latestState(stream, entity);
  return { wage: undo.wage(state, payment), isPossible: undo.decide(state, payment).length > 0 };
}

function checkAccepted(event: EventOf<typeof PaymentAccepted>, facts: AuditState): string[] {
  const { payment, endpoint, muse_id: muse, rail: name, payer, nonce, amount, valid_before } = event.data;
  const rail = RAILS.find(rail => rail.name === name);
  const { authorization } = event;
  const price = facts.sales.get(endpoint)?.priceOf(event.data.fields) ?? null;
  const requestEndpoint = 'endpoint' in authorization ? authorization.endpoint : 'no endpoint';
  return failedConditions(
    inStream(event, Payment.streamName(payment)),
    [facts.payment(payment).status === 'unknown', 'The payment had been accepted before.'],
    [
      payment === `${rail?.chainId}:${rail?.asset}:${payer}:${nonce}`.toLowerCase(),
      'Its payment id does not match its chain, asset, payer and nonce.',
    ],
    [requestEndpoint === endpoint && event.actor === muse, `Its request by ${event.actor} was for ${requestEndpoint}.`],
    [price === null || BigInt(amount) === price, `The price of ${endpoint} is ${price}, but it pays ${amount}.`],
    [Number(valid_before) * SECOND_MS > event.at, 'Its authorization had already expired.'],
    [isOwnWallet(event, facts), 'It is not paid from the wallet that it verifies.'],
    [isOwnHire(event), 'It names another hire than its request.'],
    [isOwnEscrow(event), 'Its nonce or its hash commits to other terms than those of its escrow.'],
    [namesItsLimit(event, facts), 'It does not name the daily sum of its token.'],
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

/** The collector of an escrow fills it in. */
const SCHEME_VALID_AFTER = '0';

/** The terms are shown only to an auditor that holds the key of the service. */
function isOwnEscrow(event: EventOf<typeof PaymentAccepted>): boolean {
  const { escrow, escrow_salt: salt, pay_to, signature, nonce, valid_after: start } = event.data;
  if (!escrow || !isEscrowContract(escrow.contract)) return !escrow;
  if (start !== SCHEME_VALID_AFTER) return false;
  if (typeof salt !== 'string' || pay_to === null || signature === null) return true;
  const signed = signedPayment(event).escrow!;
  return signed.nonce === nonce && signed.hash === escrow.payment_hash;
}

const goesToPayee = (event: EventOf<typeof PaymentAccepted>, facts: AuditState) =>
  event.data.pay_to === null || includesReceiver(receiversOf(event, facts), event.data.pay_to) !== false;

export function isOwnRequest({ data, authorization }: EventOf<typeof PaymentAccepted>): boolean {
  const { endpoint, muse_id: actor, fields, request_salt: salt } = data;
  const context = { actor };
  if (fields === null) return true;
  const text = comparableText({ endpoint, context, fields });
  const requestFields = requestFieldsOf(authorization) ?? fields;
  const isCommitted = salt === null || isPaidRequest({ data }, { endpoint, context, fields });
  return isCommitted && comparableText({ endpoint, context, fields: requestFields }) === text;
}

export const PAYMENT_RULES = [
  ruleFor(PaymentAccepted, checkAccepted),
  ruleFor(PaymentSubmitted, checkSubmitted),
  ruleFor(PaymentSettled, checkSettled),
  ruleFor(PaymentRefused, checkRefused),
  ruleFor(PaymentExpired, (event, facts) => checkStep(event, facts, ['expire'], { onChain: EXPIRED_WINDOW })),
  ruleFor(PaymentApplied, checkApplied),
  ruleFor(PaymentLost, checkLost),
];
