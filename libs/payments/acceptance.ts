import type { Claims } from '#libs/claims/claims.js';
import type { CommandResult } from '#libs/kernel/decide.js';
import type { Clock } from '#libs/kernel/clock.js';
import type { Position } from '#libs/kernel/event.js';
import { PAYMENT_ERROR_CODES } from '#libs/kernel/error-codes.js';
import { withOutageFallback } from '#libs/event-log/outage-fallback.js';
import type { Journal } from '#libs/event-log/journal.js';
import { assertWithinLimit } from './spending.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import {
  failureHeaders,
  settlementPending,
  orUnknown,
  deliveryChanged,
  endReason,
  endRejection,
  REFUSED_EARLIER,
  wasSent,
} from './payment-answers.js';
import { ChainChecks } from './chain-checks.js';
import type { EscrowAccounts } from './escrow-accounts.js';
import type { Chain } from './chain.port.js';
import { checkLocally, offeredRail, type PaymentRejection, signedPaymentOf } from './payload-checks.js';
import { acceptedEvent, type Ledger, type PaymentStream, type CheckedPayment, acceptedFact } from './ledger.js';
import { UNOBSERVED, type Observation } from './payment-machine.js';
import { offerRefusal, paymentRequired, type OfferSettings } from './offers.js';
import type { EarlierPayments } from './earlier-payments.js';
import type { EndedPayment, PaymentResponder } from './payment-responder.js';
import type { PaymentLimits } from './payment-limits.js';
import type { PaymentPayload } from './payment-payload.js';
import type { PaidRequest, Purchase } from './purchase.js';
import { canBePaidRequest } from './request-commitment.js';
import { type BoundKind, FORGOTTEN, OVERTAKEN, PENDING, takenReason, REQUEST_PAID } from './reserve-claims.js';

interface AcceptanceDependencies {
  readonly journal: Journal;
  readonly claims: Claims;
  readonly clock: Clock;
  readonly chains: readonly Chain[];
  readonly offers: OfferSettings;
  readonly limits?: PaymentLimits;
  readonly escrowAccounts: EscrowAccounts;
}

type CheckResult = CheckedPayment | CommandResult;
type DecidePurchase = () => Promise<Purchase | CommandResult>;

const JUST_OBSERVED: Observation = {
  ...UNOBSERVED,
  onChain: { status: 'unused', window: 'open', refusal: null },
};

const TAKEN_MESSAGES: { readonly [reason in `${BoundKind}_taken`]: string } = {
  name_taken: 'Another agent has this name.',
  key_taken: 'Another agent has this key.',
  wallet_taken: 'This wallet is bound to another agent.',
};

export class Acceptance {
  private readonly chainChecks: ChainChecks;

  constructor(
    private readonly dependencies: AcceptanceDependencies,
    private readonly ledger: Ledger,
    private readonly responder: PaymentResponder,
    private readonly earlier: EarlierPayments,
  ) {
    this.chainChecks = new ChainChecks(dependencies);
  }

  /** `ended`: the end of the presented payment without an effect. */
  async buy(request: PaidRequest, decide: DecidePurchase, ended: EndedPayment | null): Promise<CommandResult> {
    const checked = await this.check(request, decide, ended);
    return 'body' in checked ? checked : this.accept(request, checked, decide);
  }

  private async check(request: PaidRequest, decide: DecidePurchase, ended: EndedPayment | null): Promise<CheckResult> {
    try {
      return await this.checkPurchase(request, await decide(), ended);
    } catch (error) {
      // A retry, or another request with this payment, may have succeeded during the checks.
      const answer = error instanceof Refusal ? await this.earlier.findAnswer(request) : null;
      if (answer) return answer;
      return this.countRefusal(request.context.actor, error);
    }
  }

  private async checkPurchase(
    request: PaidRequest,
    purchase: Purchase | CommandResult,
    ended: EndedPayment | null,
  ): Promise<CheckResult> {
    if ('body' in purchase) return purchase;
    const { payload, context } = request;
    await this.assertWithinLimit(request, purchase);
    await this.refuseTakenThings(purchase, context.asOf);
    const { escrowAccounts, offers } = this.dependencies;
    if (!payload) throw await paymentRequired(await escrowAccounts.assign(purchase, null), offers);
    await this.dependencies.limits?.countAttempt(context.actor);
    const twin = ended && (await this.earlier.findDuplicate(request, ended));
    return twin ?? this.checkPayload(payload, await escrowAccounts.assign(purchase, payload), ended);
  }

  private async checkPayload(
    payload: PaymentPayload,
    purchase: Purchase,
    ended: EndedPayment | null,
  ): Promise<CheckedPayment> {
    if (ended) throw await this.refusalAfterEnd(ended, purchase);
    const rejection = checkLocally(payload, purchase, this.dependencies.clock.now());
    if (rejection) throw await this.refusalWithOffer(purchase, rejection);
    const rail = offeredRail(payload, purchase)!;
    const signed = signedPaymentOf(payload, purchase, rail);
    const chainCheck = await this.chainChecks.check(rail, payload.paymentId, signed);
    if ('code' in chainCheck) throw await this.refusalWithOffer(purchase, chainCheck);
    const { escrow } = signed;
    return { purchase, payload, rail, block: chainCheck.block, ...(escrow && { escrow }) };
  }

  private async accept(request: PaidRequest, checked: CheckedPayment, decide: DecidePurchase): Promise<CommandResult> {
    const payment = await this.recordPayment(request, checked);
    rule(canBePaidRequest(acceptedEvent(payment), request), 'payment_used', 'This payment belongs to another request.');
    const outcome = await this.responder.settle(checked.payload.paymentId, { payment, observation: JUST_OBSERVED });
    if ('body' in outcome) return outcome;
    return this.answerAfterEnd(outcome, request, checked.purchase, decide).catch(error =>
      this.countRefusal(request.context.actor, error),
    );
  }

  /**
   * Reports how the payment ended if a transaction was sent. Otherwise another request won the race, and this one is
   * handled like a new request.
   */
  private async answerAfterEnd(
    ended: EndedPayment,
    request: PaidRequest,
    purchase: Purchase,
    decide: DecidePurchase,
  ): Promise<CommandResult> {
    if (wasSent(ended)) throw await this.refusalAfterEnd(ended, purchase);
    const earlier = await this.earlier.findAnswer(request);
    if (earlier) return earlier;
    const newPurchase = await decide();
    if ('body' in newPurchase) return newPurchase;
    await this.refuseTakenThings(newPurchase);
    const twin = await this.earlier.findDuplicate(request, ended);
    if (twin) return twin;
    await this.assertWithinLimit(request, newPurchase);
    if (endReason(ended) === OVERTAKEN && newPurchase.hire !== undefined) throw deliveryChanged();
    throw await this.refusalAfterEnd(ended, newPurchase);
  }

  private assertWithinLimit({ context, endpoint }: PaidRequest, { amount }: Purchase): Promise<void> {
    return assertWithinLimit(this.dependencies.journal, context, endpoint, amount);
  }

  private async refuseTakenThings({ things, owner }: Purchase, asOf?: Position): Promise<void> {
    for (const thing of things) {
      const claim = await this.dependencies.claims.findValid(thing, owner, asOf);
      if (!claim) continue;
      const reason = await takenReason(this.ledger, thing.kind, claim, owner);
      // The payment is refused without a charge, and its request returns what the owner holds.
      if (reason === OVERTAKEN) continue;
      if (reason === PENDING || reason === REQUEST_PAID)
        throw settlementPending(this.responder.railOf(claim.data.payment!));
      throw new Refusal(reason, TAKEN_MESSAGES[reason]);
    }
  }

  private async countRefusal(museId: string, error: unknown): Promise<never> {
    // If the counters are unreachable, the caller still gets the payment's own refusal.
    if (isPaymentRefusal(error))
      await withOutageFallback(async () => this.dependencies.limits?.countRefusal(museId), undefined);
    throw error;
  }

  private recordPayment(request: PaidRequest, checked: CheckedPayment): Promise<PaymentStream> {
    const basedOn = { ...request.context.basedOn, ...checked.purchase.basedOn };
    const context = { ...request.context, basedOn };
    const fact = acceptedFact(request, checked);
    return orUnknown(checked.rail, () => this.ledger.open(checked.payload.paymentId, fact, context));
  }

  private async refusalAfterEnd(ended: EndedPayment, purchase: Purchase): Promise<Refusal> {
    const { payment, hasJustEnded } = ended;
    const reason = endReason(ended);
    if (!hasJustEnded) return this.refusalWithOffer(purchase, REFUSED_EARLIER);
    if (reason === FORGOTTEN) return new Refusal('forgotten', 'The identity was erased by its owner.');
    const rail = this.responder.railOf(payment.accepted.data.payment);
    const headers = wasSent(ended) ? failureHeaders(rail, reason, payment) : {};
    return this.refusalWithOffer(purchase, endRejection(ended), headers);
  }

  private async refusalWithOffer(
    purchase: Purchase,
    rejection: PaymentRejection,
    headers: { readonly [name: string]: string } = {},
  ): Promise<Refusal> {
    const { code, message, details } = await offerRefusal(purchase, { ...this.dependencies.offers, ...rejection });
    return new Refusal(code, message, { ...details, headers: { ...details.headers, ...headers } });
  }
}

const PAYMENT_REFUSAL_CODES: ReadonlySet<string> = new Set(
  Object.entries(PAYMENT_ERROR_CODES).flatMap(([code, [status]]) => (status === 402 ? [code] : [])),
);
const isPaymentRefusal = (error: unknown) => error instanceof Refusal && PAYMENT_REFUSAL_CODES.has(error.code);
