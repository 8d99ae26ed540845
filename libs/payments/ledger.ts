import {
  type PaymentAcceptedEvent,
  Payment,
  PaymentSubmitted,
  type SubmittedTransaction,
  PaymentAccepted,
} from '#libs/domain/payment.js';
import type { Journal, WholeStream } from '#libs/event-log/journal.js';
import type { Clock } from '#libs/kernel/clock.js';
import type { PaidClaimSubject } from '#libs/claims/claim-streams.js';
import { type CommandContext, withIds, serviceContext } from '#libs/kernel/decide.js';
import type { Fact, StreamRevisions } from '#libs/kernel/event.js';
import { formatDecisionKey, type Integers } from '#libs/kernel/ids.js';
import { escrowedPayment } from './auth-capture.js';
import type { ContractCall, ExpectedUse, Rail, SignedTransaction } from './chain.port.js';
import type { PaymentPayload } from './payment-payload.js';
import { type PaidRequest, type Purchase, requestSubject } from './purchase.js';
import { comparableText } from './request-commitment.js';
import { RAILS } from './rails.js';
import type { EscrowPayment, SignedPayment } from './scheme.js';
import { schemeOf } from './schemes.js';
import { StepLog } from './step-log.js';

export type PaymentStream = WholeStream<Payment>;

export function acceptedEvent({ state, stream }: PaymentStream): PaymentAcceptedEvent {
  if (state.status === 'unknown') throw new Error(`${stream} holds no payment.`);
  return state.accepted;
}

/** Throws if the key that seals the payload was destroyed. */
export function signedPayment({ data }: PaymentAcceptedEvent): SignedPayment {
  if (data.pay_to === null || data.signature === null)
    throw new Error(`The key that seals ${data.payment} was destroyed.`);
  const {
    payer: from,
    pay_to: to,
    amount: value,
    valid_after: validAfter,
    valid_before: validBefore,
    nonce,
    signature,
  } = data;
  const signed = { from, to, value, validAfter, validBefore, nonce, signature };
  const { escrow, escrow_salt: salt } = data;
  if (!escrow) return signed;
  const { contract, operator, capture_deadline: captureDeadline } = escrow;
  return escrowedPayment(railOf(data), signed, { contract, operator, captureDeadline, receiver: to, salt: salt! });
}

const railOf = ({ rail }: PaymentAcceptedEvent['data']) => RAILS.find(({ name }) => name === rail)!;

export function settlingCallOf(accepted: PaymentAcceptedEvent): ContractCall {
  const signed = signedPayment(accepted);
  return schemeOf(signed).settlingCall(railOf(accepted.data), signed);
}

export function expectedUseOf(accepted: PaymentAcceptedEvent): ExpectedUse {
  const signed = signedPayment(accepted);
  return schemeOf(signed).expectedUse(signed);
}

export class Ledger {
  private readonly steps: StepLog<Payment>;

  constructor(
    private readonly journal: Journal,
    private readonly clock: Clock,
    private readonly integers: Integers,
  ) {
    const steps = { entity: Payment, decidedBy: 'settle-payment@1', reason: 'the settlement of a payment' };
    this.steps = new StepLog({ journal, clock, integers }, steps);
  }

  load(id: string): Promise<PaymentStream> {
    return this.journal.loadWhole(Payment.source(id));
  }

  /**
   * Writes the first event in the name of the request. If another request has written it already, returns that stream.
   */
  open(id: string, fact: Fact, request: CommandContext): Promise<PaymentStream> {
    const stream = Payment.streamName(id);
    return this.steps.open(stream, fact, { ...request, requestKey: stream, decidedBy: 'accept-payment@1' });
  }

  append(payment: PaymentStream, fact: Fact, basedOn?: StreamRevisions): Promise<PaymentStream> {
    return this.steps.append(payment, fact, acceptedEvent(payment).id, basedOn);
  }

  /** Equal to the context of the accepted request, so that a retry derives the same events. */
  effectContext(payment: PaymentStream): CommandContext {
    const { data, id, actor, at, authorization } = acceptedEvent(payment);
    const revision = payment.events.findLast(({ type }) => type === 'PaymentSettled')?.revision ?? 0;
    const decidedBy = `${data.endpoint}-effect@1`;
    const envelope = {
      actor,
      at,
      requestKey: formatDecisionKey(id, decidedBy),
      cause: id,
      decidedBy,
      authorization,
      basedOn: { [payment.stream]: revision },
      hasTimeOfCause: true as const,
    };
    return withIds(envelope, this.integers);
  }

  revertContext(payment: PaymentStream): CommandContext {
    const context = serviceContext({
      at: this.clock.now(),
      cause: acceptedEvent(payment).id,
      decidedBy: 'lose-payment@1',
      reason: 'the loss of a payment',
      integers: this.integers,
    });
    return { ...context, basedOn: { [payment.stream]: Number(payment.revision) } };
  }
}

export function submittedFact(payment: string, { tx, raw, relayer, relayerNonce, fee }: SignedTransaction) {
  return PaymentSubmitted({ payment, tx, raw, relayer, relayer_nonce: relayerNonce, fee });
}

export const submittedIn = ({ state }: PaymentStream): readonly SubmittedTransaction[] =>
  state.status === 'unknown' ? [] : state.submitted;

/** Throws if the key that seals the transaction was destroyed. */
export function rawTransaction({ raw, tx }: SubmittedTransaction): string {
  if (raw === null) throw new Error(`The key that seals transaction ${tx} was destroyed.`);
  return raw;
}

export interface CheckedPayment {
  readonly purchase: Purchase;
  readonly payload: PaymentPayload;
  readonly rail: Rail;
  readonly block: number;
  readonly escrow?: EscrowPayment;
}

const toData = ({ kind, value, scope }: PaidClaimSubject) => ({ kind, value, ...(scope !== undefined && { scope }) });

export function acceptedFact(request: PaidRequest, { purchase, payload, rail, block, escrow }: CheckedPayment) {
  const { authorization, signature, paymentId } = payload;
  const ids = request.context.ids.from(Payment.streamName(paymentId));
  const { commitment, salt } = ids.salted('request', comparableText(request));
  return PaymentAccepted({
    payment: paymentId,
    endpoint: request.endpoint,
    muse_id: request.context.actor,
    rail: rail.name,
    payer: authorization.from,
    nonce: authorization.nonce,
    amount: authorization.value,
    valid_after: authorization.validAfter,
    valid_before: authorization.validBefore,
    block,
    pay_to: escrow?.info.receiver ?? authorization.to,
    signature,
    fields: request.fields,
    subject: purchase.subject,
    ...(purchase.hire !== undefined && { hire: purchase.hire }),
    ...(request.context.spending && { spending: request.context.spending }),
    owner: purchase.owner,
    things: [...purchase.things.map(toData), ...request.requestKeys.map(key => toData(requestSubject(key)))],
    request_commitment: commitment,
    request_salt: salt,
    ...(escrow && { escrow: escrowData(escrow), escrow_salt: payload.salt! }),
  });
}

const escrowData = ({ contracts, info, hash }: EscrowPayment) => ({
  contract: contracts.escrow,
  operator: info.operator,
  payment_hash: hash,
  capture_deadline: Number(info.authorizationExpiry),
});
