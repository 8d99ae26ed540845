import type { Claims } from '#libs/claims/claims.js';
import { hasEndedWithoutEffect } from '#libs/domain/payment.js';
import type { CommandResult } from '#libs/kernel/decide.js';
import type { Position } from '#libs/kernel/event.js';
import { nonceUsed, rule } from '#libs/kernel/refusal.js';
import type { RequestKey } from '#libs/kernel/ids.js';
import { orUnknown } from './payment-answers.js';
import { acceptedEvent, type Ledger, type PaymentStream } from './ledger.js';
import type { EndedPayment, PaymentResponder } from './payment-responder.js';
import { type PaidRequest, requestSubject } from './purchase.js';
import { isPaidRequest, canBePaidRequest } from './request-commitment.js';
import { PENDING } from './reserve-claims.js';

/** Finds an earlier payment for a request: by the payment it presents, its nonce or its idempotency key. */
export class EarlierPayments {
  constructor(
    private readonly ledger: Ledger,
    private readonly claims: Claims,
    private readonly responder: PaymentResponder,
  ) {}

  /**
   * Returns the outcome of the earlier payment, and continues a pending one. A payment that ended without effect is
   * returned only if the request presents it. Claims are read as of `asOf`, because a later one fails the append.
   *
   * Errors: 409 `payment_used`, `nonce_used`, `settlement_pending`, `settlement_unknown`.
   */
  async find(request: PaidRequest, asOf?: Position): Promise<CommandResult | EndedPayment | null> {
    const presentedPayment = await this.findByPayload(request);
    if (presentedPayment && 'body' in presentedPayment) return presentedPayment;
    for (const key of request.requestKeys) {
      const outcome = await this.findByRequestKey(key, request, asOf);
      if (outcome && 'body' in outcome) return outcome;
    }
    return presentedPayment;
  }

  async findAnswer(request: PaidRequest): Promise<CommandResult | null> {
    const earlier = await this.find(request);
    return earlier && 'body' in earlier ? earlier : null;
  }

  /**
   * Returns the purchase of the concurrent payment that overtook this one, free of charge. The caller followed the hint
   * to repeat the request, and must not pay again.
   */
  async findDuplicate(request: PaidRequest, { payment }: EndedPayment): Promise<CommandResult | null> {
    const { things } = payment.accepted.data;
    if (payment.status !== 'refused' || payment.reason !== PENDING || things === null) return null;
    if (!isPaidRequest(payment.accepted, request)) return null;
    for (const thing of things.filter(({ kind }) => kind === 'purchase')) {
      const twin = (await this.claims.findLast(thing))?.data.payment ?? null;
      if (twin === null || (await this.ledger.load(twin)).state.status !== 'applied') continue;
      const outcome = await this.responder.settle(twin);
      if (!('body' in outcome)) continue;
      const { extensions: _receipt, ...body } = outcome.body;
      return { body: { ...body, paid: false, payment: null }, position: outcome.position };
    }
    return null;
  }

  async isPaid(requestKey: RequestKey): Promise<boolean> {
    const payment = await this.findClaimant(requestKey);
    return payment !== null && !hasEndedWithoutEffect((await this.ledger.load(payment)).state);
  }

  private async findByPayload(request: PaidRequest): Promise<CommandResult | EndedPayment | null> {
    if (!request.payload) return null;
    const { paymentId } = request.payload;
    const earlier = await this.load(paymentId);
    const { state } = earlier;
    if (state.status === 'unknown') return null;
    if (state.status === 'refused' || state.status === 'expired' || (state.status === 'lost' && state.lost.undone))
      return { payment: state, hasJustEnded: false };
    rule(this.isMadeFor(request, earlier), 'payment_used', 'This payment belongs to another request.');
    return this.responder.settle(paymentId);
  }

  private async findClaimant(requestKey: RequestKey, asOf?: Position): Promise<string | null> {
    return (await this.claims.findLast(requestSubject(requestKey), asOf))?.data.payment ?? null;
  }

  private async findByRequestKey(
    requestKey: RequestKey,
    request: PaidRequest,
    asOf?: Position,
  ): Promise<CommandResult | EndedPayment | null> {
    const payment = await this.findClaimant(requestKey, asOf);
    if (payment === null || payment === request.payload?.paymentId) return null;
    const earlier = await this.ledger.load(payment);
    if (hasEndedWithoutEffect(earlier.state)) return null;
    if (!this.isMadeFor(request, earlier)) throw nonceUsed();
    return this.responder.settle(payment);
  }

  private isMadeFor(request: PaidRequest, earlier: PaymentStream): boolean {
    return canBePaidRequest(acceptedEvent(earlier), request);
  }

  /** During an outage the presented payment may have been sent before, so this is not a plain 503. */
  private load(payment: string): Promise<PaymentStream> {
    return orUnknown(this.responder.findRail(payment), () => this.ledger.load(payment));
  }
}
