import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Claims } from '#libs/claims/claims.js';
import type { CommandResult } from '#libs/kernel/command-result.js';
import type { Clock } from '#libs/kernel/clock.js';
import { PAYMENT_ERROR_CODES } from '#libs/kernel/error-codes.js';
import { withOutageFallback } from '#libs/event-log/outage-fallback.js';
import { Refusal, rule, Unavailable } from '#libs/kernel/refusal.js';
import { selectAccount } from './account-selection.js';
import { failureHeaders, settlementPending, paymentsUnavailable, settlementUnknown } from './payment-answers.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { hasEnoughGas } from './relayer-gas.js';
import type { Chain, Rail } from './chain.port.js';
import { checkLocally, checkOnChain, checkSignature, offeredRail, type PaymentRejection } from './payload-checks.js';
import { acceptedEvent, type Ledger, type PaymentStream } from './ledger.js';
import { type CheckedPayment, acceptedFact } from './checked-payment.js';
import { SPENT, UNOBSERVED, type Observation } from './payment-machine.js';
import { offerRefusal, paymentRequired, type OfferSettings } from './offers.js';
import type { EndedPayment, PaymentResponder } from './payment-responder.js';
import type { PaymentLimits } from './payment-limits.js';
import type { PaymentPayload } from './payment-payload.js';
import type { PaidRequest, Purchase } from './purchase.js';
import { canBePaidRequest } from './request-commitment.js';
import { type BoundKind, FORGOTTEN, OVERTAKEN, PENDING, takenReason, REQUEST_PAID } from './reserve-claims.js';

export interface AcceptanceDependencies {
  readonly claims: Claims;
  readonly clock: Clock;
  readonly chains: readonly Chain[];
  readonly offers: OfferSettings;
  /** None where limits are off. */
  readonly limits?: PaymentLimits;
}

/** What a request wants to buy, and what is known of the payment that it presents. */
export interface PurchaseAttempt {
  /** Applies the endpoint's rules. Answers the purchase, or the answer itself where there is nothing to pay. */
  readonly decide: () => Promise<Purchase | CommandResult>;
  /** How the presented payment ended before this request came, or null. */
  readonly previousEnd: EndedPayment | null;
  /** The answer of a payment that was made for the very same request meanwhile, or null. */
  readonly findEarlier: () => Promise<CommandResult | null>;
  /** What the other payment has bought that this one gave way to, as an answer that nobody is charged for; or null. */
  readonly findTwin: (ended: EndedPayment) => Promise<CommandResult | null>;
}

const JUST_OBSERVED: Observation = {
  ...UNOBSERVED,
  authorizationStatus: { status: 'unused', window: 'open', refusal: null },
};

const TAKEN_MESSAGES: { readonly [reason in `${BoundKind}_taken`]: string } = {
  name_taken: 'Another muse has this name.',
  key_taken: 'Another muse has this key.',
  wallet_taken: 'This wallet is bound to another muse.',
};

/** Checks a paid request and the payment that it presents, writes the payment down and has it carried out. */
export class Acceptance {
  private readonly breakers = new Map<string, CircuitBreaker>();

  constructor(
    private readonly dependencies: AcceptanceDependencies,
    private readonly ledger: Ledger,
    private readonly outcomes: PaymentResponder,
  ) {}

  /** Applies every rule to a request and its payment. Nothing is written down. */
  async check(request: PaidRequest, attempt: PurchaseAttempt): Promise<CheckedPayment | CommandResult> {
    try {
      return await this.checkPurchase(request, attempt);
    } catch (error) {
      // A repetition of this request, or another one with the same payment, may have been carried out during the
      // checks.
      const answer = error instanceof Refusal ? await attempt.findEarlier() : null;
      if (answer) return answer;
      return this.countRefusal(request.context.actor, error);
    }
  }

  private async checkPurchase(
    { payload: presented, context }: PaidRequest,
    attempt: PurchaseAttempt,
  ): Promise<CheckedPayment | CommandResult> {
    const wanted = await attempt.decide();
    if ('body' in wanted) return wanted;
    await this.refuseTakenThings(wanted);
    if (!presented) throw paymentRequired(wanted, this.dependencies.offers);
    await this.dependencies.limits?.countAttempt(context.actor);
    const twin = attempt.previousEnd && (await attempt.findTwin(attempt.previousEnd));
    return twin ?? this.checkPayload(presented, wanted, attempt.previousEnd);
  }

  private async checkPayload(
    presented: PaymentPayload,
    wanted: Purchase,
    ended: EndedPayment | null,
  ): Promise<CheckedPayment> {
    if (ended) throw this.refusalAfterEnd(ended, wanted);
    const verdict = checkLocally(presented, wanted, this.dependencies.clock.now());
    if (verdict) throw this.refusalWithOffer(wanted, verdict);
    const rail = offeredRail(presented, wanted)!;
    const onChain = await this.checkSignatureOnChain(presented, rail);
    if ('code' in onChain) throw this.refusalWithOffer(wanted, onChain);
    return { purchase: wanted, payload: presented, rail, block: onChain.block };
  }

  /**
   * The signature is checked while the chain is asked: checking keeps this process busy for some milliseconds, asking
   * does not.
   */
  private async checkSignatureOnChain(
    presented: PaymentPayload,
    rail: Rail,
  ): Promise<PaymentRejection | { readonly block: number }> {
    const asked = this.checkChain(rail, presented);
    asked.catch(() => undefined);
    await nextTurn();
    const verdict = checkSignature(presented, rail);
    return verdict ? this.preferContractRejection(verdict, asked) : asked;
  }

  /** A contract's signature may be as long as an account's, and is nobody's then. */
  private async preferContractRejection(
    verdict: PaymentRejection,
    asked: Promise<PaymentRejection | object>,
  ): Promise<PaymentRejection> {
    const found = await asked.catch(() => verdict);
    return 'code' in found && found.code === 'contract_wallet_unsupported' ? found : verdict;
  }

  /** Writes the payment down and carries it out. */
  async accept(request: PaidRequest, checked: CheckedPayment, attempt: PurchaseAttempt): Promise<CommandResult> {
    const { paymentId } = checked.payload;
    const payment = await this.recordPayment(request, checked);
    rule(canBePaidRequest(acceptedEvent(payment), request), 'payment_used', 'This payment belongs to another request.');
    const settled = await this.outcomes.settle(paymentId, JUST_OBSERVED);
    if ('body' in settled) return settled;
    return this.answerAfterEnd(settled, checked, attempt).catch(error =>
      this.countRefusal(request.context.actor, error),
    );
  }

  /**
   * The answer where the payment has just ended without effect. Where a transaction was sent, it says what became of
   * that. Where nothing was sent, another request was faster, and the answer is what this one would get if it came now.
   */
  private async answerAfterEnd(
    ended: EndedPayment,
    { purchase: wanted }: CheckedPayment,
    { findEarlier, findTwin, decide }: PurchaseAttempt,
  ): Promise<CommandResult> {
    if (wasSent(ended)) throw this.refusalAfterEnd(ended, wanted);
    const earlier = await findEarlier();
    if (earlier) return earlier;
    const now = await decide();
    if ('body' in now) return now;
    await this.refuseTakenThings(now);
    const twin = await findTwin(ended);
    if (twin) return twin;
    if (endReason(ended) === OVERTAKEN && now.hire !== undefined)
      throw new Refusal('delivery_changed', DELIVERY_REPLACED);
    throw this.refusalAfterEnd(ended, now);
  }

  /** Refuses where somebody has the thing already, or a payment for it is under way. */
  private async refuseTakenThings({ things, owner }: Purchase): Promise<void> {
    for (const thing of things) {
      const claim = await this.dependencies.claims.findValid(thing, owner);
      if (!claim) continue;
      const reason = await takenReason(this.ledger, thing, claim);
      if (reason === PENDING || reason === REQUEST_PAID)
        throw settlementPending(this.outcomes.railOf(claim.data.payment!));
      throw new Refusal(reason, TAKEN_MESSAGES[reason]);
    }
  }

  private async countRefusal(museId: string, error: unknown): Promise<never> {
    // Without the counters the refusal still says what became of the payment.
    if (isPaymentRefusal(error))
      await withOutageFallback(async () => this.dependencies.limits?.countRefusal(museId), undefined);
    throw error;
  }

  private async checkChain(
    rail: Rail,
    presented: PaymentPayload,
  ): Promise<PaymentRejection | { readonly block: number }> {
    const ofRail = this.dependencies.chains.filter(chain => chain.rail.name === rail.name);
    const chain = selectAccount(ofRail, each => each, presented.paymentId);
    const breaker = this.breakerOf(rail);
    if (!chain || !breaker.canRequest()) throw paymentsUnavailable();
    try {
      const [verdict, canBeSent] = await Promise.all([checkOnChain(chain, presented), hasEnoughGas(chain)]);
      breaker.recordSuccess();
      if (!canBeSent) throw paymentsUnavailable();
      return verdict;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      breaker.recordFailure();
      throw paymentsUnavailable();
    }
  }

  private breakerOf({ name }: Rail): CircuitBreaker {
    const breaker = this.breakers.get(name) ?? new CircuitBreaker(this.dependencies.clock);
    this.breakers.set(name, breaker);
    return breaker;
  }

  private async recordPayment(request: PaidRequest, checked: CheckedPayment): Promise<PaymentStream> {
    try {
      return await this.ledger.open(checked.payload.paymentId, acceptedFact(request, checked), request.context);
    } catch (error) {
      throw error instanceof Unavailable ? settlementUnknown(checked.rail) : error;
    }
  }

  /** The refusal after a payment that ended without effect, so that nobody was charged here. */
  private refusalAfterEnd(ended: EndedPayment, wanted: Purchase): Refusal {
    const { payment, hasJustEnded: now } = ended;
    const reason = endReason(ended);
    if (!now) return this.refusalWithOffer(wanted, REFUSED_EARLIER);
    if (reason === FORGOTTEN) return new Refusal('forgotten', 'The identity was erased by its owner.');
    const rail = this.outcomes.railOf(payment.accepted.data.payment);
    const sent = wasSent(ended) ? failureHeaders(rail, reason, payment) : {};
    return this.refusalWithOffer(wanted, END_REJECTIONS[reason] ?? REFUSED_EARLIER, sent);
  }

  private refusalWithOffer(
    wanted: Purchase,
    verdict: PaymentRejection,
    headers: { readonly [name: string]: string } = {},
  ): Refusal {
    const { code, message, details } = offerRefusal(wanted, { ...this.dependencies.offers, ...verdict });
    return new Refusal(code, message, { ...details, headers: { ...details.headers, ...headers } });
  }
}

const PAYMENT_REFUSAL_CODES: ReadonlySet<string> = new Set(
  Object.entries(PAYMENT_ERROR_CODES).flatMap(([code, [status]]) => (status === 402 ? [code] : [])),
);
/** Whether it is the payment that was refused, and not what was asked for. */
const isPaymentRefusal = (error: unknown) => error instanceof Refusal && PAYMENT_REFUSAL_CODES.has(error.code);
const wasSent = ({ payment }: EndedPayment) => payment.submitted.length > 0;
function endReason({ payment }: EndedPayment): string {
  if (payment.status === 'lost') return payment.lost.reason;
  return payment.status === 'refused' ? payment.reason : EXPIRED_REJECTION.code;
}

const DELIVERY_REPLACED = 'Something else was delivered while it was paid for; look at that first. Nobody was charged.';
const REFUSED_EARLIER: PaymentRejection = {
  code: 'authorization_refused',
  error: 'This payment was refused or expired here before; sign a new one. Nobody was charged.',
};
const SPENT_REJECTION: PaymentRejection = {
  code: SPENT,
  error: 'The authorization was cancelled or used for something else; sign a new one. Nobody was charged here.',
};
const EXPIRED_REJECTION: PaymentRejection = {
  code: 'authorization_expired',
  error: 'The authorization has expired and was not used; sign a new one. Nobody was charged.',
};

/** The ends that the payment itself has caused. After any other end the caller may sign a new payment at once. */
const END_REJECTIONS: { readonly [reason: string]: PaymentRejection } = {
  [SPENT]: SPENT_REJECTION,
  [EXPIRED_REJECTION.code]: EXPIRED_REJECTION,
};
