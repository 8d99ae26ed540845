import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Claims } from '#libs/claims/claims.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Clock } from '#libs/kernel/clock.js';
import { PAYMENT_CODES } from '#libs/kernel/codes.js';
import { orWhileUnavailable } from '#libs/event-log/or-while-unavailable.js';
import { Refusal, rule, Unavailable } from '#libs/kernel/refusal.js';
import { accountFor } from './accounts.js';
import { failureHeaders, pending, unavailable, unknown } from './answers.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { hasGas } from './gas.js';
import type { Chain, Rail } from './chain.port.js';
import { checkLocally, checkOnChain, checkSignature, railOf, type Verdict } from './checks.js';
import { acceptedOf, type Ledger, type PaymentStream } from './ledger.js';
import { type Checked, intentOf } from './intent.js';
import { SPENT, UNOBSERVED, type Observation } from './machine.js';
import { offer, paymentRequired, type OfferSettings } from './offers.js';
import type { Ended, Outcomes } from './outcomes.js';
import type { PaymentLimits } from './limits.js';
import type { Presented } from './presented-payment.js';
import type { PaidRequest, Purchase } from './purchase.js';
import { mayBePaidRequest } from './request-commitment.js';
import { type BoundKind, FORGOTTEN, OVERTAKEN, PENDING, reasonOf, REQUEST_PAID } from './reserve.js';

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
  readonly decide: () => Promise<Purchase | Answer>;
  /** How the presented payment ended before this request came, or null. */
  readonly previousEnd: Ended | null;
  /** The answer of a payment that was made for the very same request meanwhile, or null. */
  readonly findEarlier: () => Promise<Answer | null>;
  /** What the other payment has bought that this one gave way to, as an answer that nobody is charged for; or null. */
  readonly findTwin: (ended: Ended) => Promise<Answer | null>;
}

const JUST_OBSERVED: Observation = { ...UNOBSERVED, onChain: { status: 'unused', window: 'open', refusal: null } };

const TAKEN: { readonly [reason in `${BoundKind}_taken`]: string } = {
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
    private readonly outcomes: Outcomes,
  ) {}

  /** Applies every rule to a request and its payment. Nothing is written down. */
  async check(request: PaidRequest, attempt: PurchaseAttempt): Promise<Checked | Answer> {
    try {
      return await this.checked(request, attempt);
    } catch (error) {
      // A repetition of this request, or another one with the same payment, may have been carried out during the
      // checks.
      const answer = error instanceof Refusal ? await attempt.findEarlier() : null;
      if (answer) return answer;
      return this.countRefusal(request.context.actor, error);
    }
  }

  private async checked({ presented, context }: PaidRequest, attempt: PurchaseAttempt): Promise<Checked | Answer> {
    const wanted = await attempt.decide();
    if ('body' in wanted) return wanted;
    await this.refuseWhatIsTaken(wanted);
    if (!presented) throw paymentRequired(wanted, this.dependencies.offers);
    await this.dependencies.limits?.attempt(context.actor);
    const twin = attempt.previousEnd && (await attempt.findTwin(attempt.previousEnd));
    return twin ?? this.checkPresented(presented, wanted, attempt.previousEnd);
  }

  private async checkPresented(presented: Presented, wanted: Purchase, ended: Ended | null): Promise<Checked> {
    if (ended) throw this.afterEnd(ended, wanted);
    const verdict = checkLocally(presented, wanted, this.dependencies.clock.now());
    if (verdict) throw this.offer(wanted, verdict);
    const rail = railOf(presented, wanted)!;
    const onChain = await this.checkedSignature(presented, rail);
    if ('code' in onChain) throw this.offer(wanted, onChain);
    return { wanted, presented, rail, block: onChain.block };
  }

  /**
   * The signature is checked while the chain is asked: checking keeps this process busy for some milliseconds, asking
   * does not.
   */
  private async checkedSignature(presented: Presented, rail: Rail): Promise<Verdict | { readonly block: number }> {
    const asked = this.askChain(rail, presented);
    asked.catch(() => undefined);
    await nextTurn();
    const verdict = checkSignature(presented, rail);
    return verdict ? this.orOfContract(verdict, asked) : asked;
  }

  /** A contract's signature may be as long as an account's, and is nobody's then. */
  private async orOfContract(verdict: Verdict, asked: Promise<Verdict | object>): Promise<Verdict> {
    const found = await asked.catch(() => verdict);
    return 'code' in found && found.code === 'contract_wallet_unsupported' ? found : verdict;
  }

  /** Writes the payment down and carries it out. */
  async accept(request: PaidRequest, checked: Checked, attempt: PurchaseAttempt): Promise<Answer> {
    const { paymentId } = checked.presented;
    const payment = await this.writeDown(request, checked);
    rule(mayBePaidRequest(acceptedOf(payment), request), 'payment_used', 'This payment belongs to another request.');
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
    ended: Ended,
    { wanted }: Checked,
    { findEarlier, findTwin, decide }: PurchaseAttempt,
  ): Promise<Answer> {
    if (wasSent(ended)) throw this.afterEnd(ended, wanted);
    const earlier = await findEarlier();
    if (earlier) return earlier;
    const now = await decide();
    if ('body' in now) return now;
    await this.refuseWhatIsTaken(now);
    const twin = await findTwin(ended);
    if (twin) return twin;
    if (reasonFor(ended) === OVERTAKEN && now.hire !== undefined) throw new Refusal('delivery_changed', REPLACED);
    throw this.afterEnd(ended, now);
  }

  /** Refuses where somebody has the thing already, or a payment for it is under way. */
  private async refuseWhatIsTaken({ things, owner }: Purchase): Promise<void> {
    for (const thing of things) {
      const claim = await this.dependencies.claims.standing(thing, owner);
      if (!claim) continue;
      const reason = await reasonOf(this.ledger, thing, claim);
      if (reason === PENDING || reason === REQUEST_PAID) throw pending(this.outcomes.railOf(claim.data.payment!));
      throw new Refusal(reason, TAKEN[reason]);
    }
  }

  private async countRefusal(museId: string, error: unknown): Promise<never> {
    // Without the counters the refusal still says what became of the payment.
    if (isOfPayment(error)) await orWhileUnavailable(async () => this.dependencies.limits?.refused(museId), undefined);
    throw error;
  }

  private async askChain(rail: Rail, presented: Presented): Promise<Verdict | { readonly block: number }> {
    const ofRail = this.dependencies.chains.filter(chain => chain.rail.name === rail.name);
    const chain = accountFor(ofRail, each => each, presented.paymentId);
    const breaker = this.breakerOf(rail);
    if (!chain || !breaker.mayAsk()) throw unavailable();
    try {
      const [verdict, canBeSent] = await Promise.all([checkOnChain(chain, presented), hasGas(chain)]);
      breaker.answered();
      if (!canBeSent) throw unavailable();
      return verdict;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      breaker.failed();
      throw unavailable();
    }
  }

  private breakerOf({ name }: Rail): CircuitBreaker {
    const breaker = this.breakers.get(name) ?? new CircuitBreaker(this.dependencies.clock);
    this.breakers.set(name, breaker);
    return breaker;
  }

  private async writeDown(request: PaidRequest, checked: Checked): Promise<PaymentStream> {
    try {
      return await this.ledger.open(checked.presented.paymentId, intentOf(request, checked), request.context);
    } catch (error) {
      throw error instanceof Unavailable ? unknown(checked.rail) : error;
    }
  }

  /** The refusal after a payment that ended without effect, so that nobody was charged here. */
  private afterEnd(ended: Ended, wanted: Purchase): Refusal {
    const { payment, now } = ended;
    const reason = reasonFor(ended);
    if (!now) return this.offer(wanted, REFUSED_BEFORE);
    if (reason === FORGOTTEN) return new Refusal('forgotten', 'The identity was erased by its owner.');
    const rail = this.outcomes.railOf(payment.accepted.data.payment);
    const sent = wasSent(ended) ? failureHeaders(rail, reason, payment) : {};
    return this.offer(wanted, ENDS[reason] ?? REFUSED_BEFORE, sent);
  }

  private offer(wanted: Purchase, verdict: Verdict, headers: { readonly [name: string]: string } = {}): Refusal {
    const { code, message, details } = offer(wanted, { ...this.dependencies.offers, ...verdict });
    return new Refusal(code, message, { ...details, headers: { ...details.headers, ...headers } });
  }
}

const REFUSING: ReadonlySet<string> = new Set(
  Object.entries(PAYMENT_CODES).flatMap(([code, [status]]) => (status === 402 ? [code] : [])),
);
/** Whether it is the payment that was refused, and not what was asked for. */
const isOfPayment = (error: unknown) => error instanceof Refusal && REFUSING.has(error.code);
const wasSent = ({ payment }: Ended) => payment.submitted.length > 0;
function reasonFor({ payment }: Ended): string {
  if (payment.status === 'lost') return payment.lost.reason;
  return payment.status === 'refused' ? payment.reason : HAS_EXPIRED.code;
}

const REPLACED = 'Something else was delivered while it was paid for; look at that first. Nobody was charged.';
const REFUSED_BEFORE: Verdict = {
  code: 'authorization_refused',
  error: 'This payment was refused or expired here before; sign a new one. Nobody was charged.',
};
const WAS_SPENT: Verdict = {
  code: SPENT,
  error: 'The authorization was cancelled or used for something else; sign a new one. Nobody was charged here.',
};
const HAS_EXPIRED: Verdict = {
  code: 'authorization_expired',
  error: 'The authorization has expired and was not used; sign a new one. Nobody was charged.',
};

/** The ends that the payment itself has caused. After any other end the caller may sign a new payment at once. */
const ENDS: { readonly [reason: string]: Verdict } = { [SPENT]: WAS_SPENT, [HAS_EXPIRED.code]: HAS_EXPIRED };
