import { FACILITATOR_ACCOUNT } from './chain.port.js';
import { encodePaymentResponseHeader } from '@x402/core/http';
import type { Network, SettleResponse } from '@x402/core/types';
import { isSettled, type KnownPayment, type Payment } from '#libs/domain/payment.js';
import type { CommandResult } from '#libs/kernel/decide.js';
import type { ServiceErrorCode } from '#libs/kernel/error-codes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { Refusal, Unavailable } from '#libs/kernel/refusal.js';
import type { Rail } from './chain.port.js';
import type { PaymentRejection } from './payload-checks.js';
import { EXPIRED, SPENT } from './payment-machine.js';
import type { EndedPayment } from './payment-responder.js';

export const PENDING_RETRY_SECONDS = 2;
const OUTAGE_RETRY_SECONDS = 5;

type Headers = { readonly [name: string]: string };
export type AppliedPayment = Extract<Payment, { status: 'applied' }>;

/** Only version 2 has extensions. */
function responseHeaders(rail: Rail, response: Omit<SettleResponse, 'network'>, extensions?: JsonObject): Headers {
  const encode = (network: string, more?: object) =>
    encodePaymentResponseHeader({ ...response, network: network as Network, ...more });
  const v2 = encode(rail.network, extensions && { extensions });
  return { 'PAYMENT-RESPONSE': v2, 'X-PAYMENT-RESPONSE': encode(rail.short) };
}

export function failureHeaders(rail: Rail, errorReason: string, payment?: KnownPayment): Headers {
  const transaction = payment ? transactionOf(payment) : '';
  return responseHeaders(rail, {
    success: false,
    errorReason,
    transaction,
    ...(payment && { payer: payerOf(payment) }),
  });
}

/** `extensions`: the signed receipt. */
export function paidAnswer(
  rail: Rail,
  payment: AppliedPayment,
  response: CommandResult,
  extensions: JsonObject,
): CommandResult {
  const payer = payerOf(payment);
  const shownPayment = { tx: payment.tx, network: rail.short, payer, amount: payment.accepted.data.amount };
  const body: JsonObject = payment.outcome === 'void' ? { void: payment.reason } : response.body;
  const headers = responseHeaders(rail, { success: true, transaction: payment.tx, payer }, extensions);
  return {
    body: { ...body, paid: true, payment: shownPayment, extensions },
    position: response.position,
    headers: { ...response.headers, ...headers },
  };
}

/** Error 409: the caller must repeat the same request and must not sign a new payment. */
export function settlementPending(rail: Rail, payment?: KnownPayment): Refusal {
  return settlementRefusal(
    'settlement_pending',
    'A payment for the same purchase is pending. Repeat the same request.',
    rail,
    payment,
  );
}

function settlementUnknown(rail: Rail): Refusal {
  return settlementRefusal(
    'settlement_unknown',
    'The state of the payment is unknown. Repeat the same request; do not sign a new payment.',
    rail,
  );
}

/** An outage says nothing about a payment that may have been sent. */
export async function orUnknown<T>(rail: Rail | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Unavailable && rail ? settlementUnknown(rail) : error;
  }
}

export function paymentsUnavailable(): Refusal {
  const message = 'Payments cannot be checked right now, and nothing was sent. Repeat the same request.';
  return new Refusal('payments_unavailable', message, { retryAfter: OUTAGE_RETRY_SECONDS, retryable: true });
}

function settlementRefusal(code: ServiceErrorCode, message: string, rail: Rail, payment?: KnownPayment): Refusal {
  const headers = failureHeaders(rail, code, payment);
  return new Refusal(code, message, { retryAfter: PENDING_RETRY_SECONDS, retryable: true, headers });
}

const payerOf = ({ accepted }: KnownPayment) => accepted.data.payer;

function transactionOf(payment: KnownPayment): string {
  if (isSettled(payment)) return payment.tx;
  const submission = payment.submitted.at(-1);
  // Before a facilitator has named its transaction, only the request to it is known.
  return submission && submission.relayer !== FACILITATOR_ACCOUNT ? submission.tx : '';
}

export const REFUSED_EARLIER: PaymentRejection = {
  code: 'authorization_refused',
  error: 'This payment was refused or has expired; sign a new one. You were not charged.',
};
/** Ends that the payment itself caused. After any other end the caller may sign a new payment at once. */
const END_REJECTIONS: { readonly [reason: string]: PaymentRejection } = {
  [SPENT]: {
    code: SPENT,
    error: 'The authorization was cancelled or used for something else; sign a new one. You were not charged here.',
  },
  [EXPIRED]: {
    code: EXPIRED,
    error: 'The authorization expired before it was used; sign a new one. You were not charged.',
  },
};

export const wasSent = ({ payment }: EndedPayment) => payment.submitted.length > 0;

export function endReason({ payment }: EndedPayment): string {
  if (payment.status === 'lost') return payment.lost.reason;
  return payment.status === 'refused' ? payment.reason : EXPIRED;
}

export const endRejection = (ended: EndedPayment): PaymentRejection =>
  END_REJECTIONS[endReason(ended)] ?? REFUSED_EARLIER;

export const deliveryChanged = () =>
  new Refusal(
    'delivery_changed',
    'Another delivery arrived while you paid; check it before you pay. You were not charged.',
  );
