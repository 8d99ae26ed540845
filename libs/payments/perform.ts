import type { Claims } from '#libs/claims/claims.js';
import { PaymentApplied, PaymentExpired, PaymentLost, PaymentRefused, PaymentSettled } from '#libs/domain/payment.js';
import type { Clock } from '#libs/kernel/clock.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { accountFor } from './accounts.js';
import { TransactionRejected, type Chain, type SignedTransaction } from './chain.port.js';
import { acceptedOf, authorizationOf, type Ledger, type PaymentStream } from './ledger.js';
import { NotApplied } from './not-applied.js';
import { observePayment } from './observe-payment.js';
import type { OpenPayments } from './open-payments.js';
import { type LossReason, type Observation, type OnChain, SPENT, type Step } from './machine.js';
import type { Effect, Settled } from './purchase.js';
import type { Relayer } from './relayer.js';
import { OVERTAKEN, reserve } from './reserve.js';
import { newestOf, rawOf, submittedFact } from './submission.js';
import type { Timing } from './timing.js';

/** A payment under way: what is written down, and what this drive has observed. */
export interface Progress {
  readonly payment: PaymentStream;
  readonly observation: Observation;
}

/** The chain of a rail, and an account that sends there. */
export interface RailConnection {
  readonly chain: Chain;
  readonly relayer: Relayer;
}

export interface PerformerDependencies {
  readonly ledger: Ledger;
  readonly claims: Claims;
  readonly clock: Clock;
  readonly timing: Timing;
  readonly open: OpenPayments;
  /** Through each of the accounts that send on a rail. */
  readonly connectionsOf: (rail: string) => readonly RailConnection[];
  readonly effectOf: (endpoint: string) => Effect;
}

/** Leads to a pause and another look at the chain. */
const NOT_KNOWN_YET: OnChain = { status: 'unconfirmed' };

/** Does what `nextStep` says. What is sent to a chain is written down before it is sent. */
export class Performer {
  constructor(private readonly dependencies: PerformerDependencies) {}

  async perform(step: Step, progress: Progress): Promise<Progress> {
    switch (step.do) {
      case 'claim':
        return this.claim(progress);
      case 'observe':
        return this.observe(progress);
      case 'submit':
        return this.submit(progress);
      case 'broadcast':
        return this.broadcast(progress);
      case 'replace':
        return this.replace(progress);
      case 'settle':
        return this.settle(progress, step);
      case 'refuse':
        return this.write(progress, payment => PaymentRefused({ payment, reason: step.reason }));
      case 'expire':
        return this.expire(progress);
      case 'apply':
        return this.apply(progress);
      case 'lose':
        return this.lose(progress, step.reason);
      case 'wait':
      case 'done':
        return progress;
      default:
        step satisfies never;
        return progress;
    }
  }

  private async claim({ payment, observation }: Progress): Promise<Progress> {
    const { claims, ledger } = this.dependencies;
    const reason =
      (await reserve(claims, ledger, payment, ledger.contextOf(payment))) ?? (await this.overtaken(payment));
    return { payment, observation: { ...observation, claims: reason === null ? 'had' : { lost: reason } } };
  }

  /** Another payment for the same may have been applied between the checks of this request and its claims. */
  private async overtaken(payment: PaymentStream): Promise<string | null> {
    const { effectOf, ledger } = this.dependencies;
    const accepted = acceptedOf(payment);
    const effect = effectOf(accepted.data.endpoint);
    if (await effect.isOvertaken?.(accepted)) return OVERTAKEN;
    const begun = (await effect.begin?.(accepted, ledger.beginningOf(payment))) ?? true;
    return begun ? null : OVERTAKEN;
  }

  private async observe({ payment, observation }: Progress): Promise<Progress> {
    const { clock, timing } = this.dependencies;
    const { chain } = this.connection(payment);
    const observed = await observePayment({ chain, clock, timing, payment, known: observation });
    return { payment, observation: { ...observation, ...observed } };
  }

  private async submit({ payment, observation }: Progress): Promise<Progress> {
    const { signing, written } = this.signing(payment);
    const here = await this.connection(payment).relayer.submit(signing);
    if (!here) return { payment, observation: { ...observation, onChain: NOT_KNOWN_YET } };
    return { payment: written(), observation: { ...observation, transaction: 'unsent' } };
  }

  /** Sends the raw transaction that is written down. The node may have it already: that changes nothing. */
  private async broadcast({ payment, observation }: Progress): Promise<Progress> {
    const { chain, relayer } = this.connection(payment);
    const { payment: id } = acceptedOf(payment).data;
    const newest = newestOf(payment);
    try {
      await chain.broadcast(rawOf(newest));
    } catch (error) {
      relayer.failed(id, error instanceof TransactionRejected);
      if (!(error instanceof TransactionRejected)) throw error;
      return { payment, observation: { ...observation, onChain: null, transaction: 'rejected' } };
    }
    relayer.taken(id, newest.tx);
    return { payment, observation: { ...observation, onChain: null, transaction: 'sent' } };
  }

  /**
   * Replaces a transaction that no block takes. Where the node has lost it, it is sent again; where a lower nonce of the
   * account was never used, it is signed anew at that one; where it waits, it is signed at its own with a higher
   * fee. Behind a transaction of another payment that waits itself no fee of its own would help.
   */
  private async replace(progress: Progress): Promise<Progress> {
    const { chain, relayer } = this.connection(progress.payment);
    const { relayer: account, relayer_nonce: nonce, fee } = newestOf(progress.payment);
    if (account.toLowerCase() !== chain.relayer.toLowerCase()) return this.submit(progress);
    const [pending, mined] = await Promise.all([chain.nextRelayerNonce(), chain.minedRelayerNonce()]);
    if (mined < Math.min(nonce, pending)) {
      await this.clearHead(progress.payment, mined);
      if (pending > nonce) return this.observeLater(progress);
    }
    if (pending === nonce) return this.observeLater(await this.broadcast(progress));
    const { signing, written } = this.signing(progress.payment, pending > nonce ? fee : undefined);
    if (!(await relayer.resubmit(signing, Math.min(pending, nonce)))) return this.observeLater(progress);
    return this.observeLater(await this.broadcast({ ...progress, payment: written() }));
  }

  /**
   * The first transaction of the line waits, and holds up all behind it. One of a payment that can still settle is
   * replaced by whoever drives that one; any other one, of a payment that has expired, by nobody else.
   */
  private async clearHead(payment: PaymentStream, nonce: number): Promise<void> {
    const { open, timing } = this.dependencies;
    const { chain, relayer } = this.connection(payment);
    if (await open.isInUse(acceptedOf(payment).data.payment, chain.relayer, nonce)) return;
    await relayer.clear(nonce, timing.stuckMs);
  }

  private observeLater({ payment, observation }: Progress): Progress {
    return { payment, observation: { ...observation, onChain: NOT_KNOWN_YET } };
  }

  private async expire(progress: Progress): Promise<Progress> {
    const { chain } = this.connection(progress.payment);
    const { from, nonce, validBefore } = authorizationOf(acceptedOf(progress.payment));
    const { block, timestamp, used } = await chain.observeFinal(from, nonce);
    if (used || BigInt(timestamp) <= BigInt(validBefore))
      return { ...progress, observation: { ...progress.observation, onChain: null } };
    return this.write(progress, payment => PaymentExpired({ payment, block }));
  }

  /** Again after a reorganisation: then it names what rests on it. */
  private async settle(progress: Progress, { tx, block }: { tx: string; block: number }): Promise<Progress> {
    const { state } = progress.payment;
    const wage = state.status === 'applied' ? await this.effectOn(progress.payment).wageOf?.(state) : null;
    return this.write(progress, payment => PaymentSettled({ payment, tx, block, ...(wage && { wage }) }));
  }

  /** What was paid for is taken back before the payment is said to be lost: who finds it lost finds that done. */
  private async lose(progress: Progress, reason: LossReason): Promise<Progress> {
    const { payment, observation } = progress;
    const { chain } = this.connection(payment);
    const { from, nonce, validBefore } = authorizationOf(acceptedOf(payment));
    const { block, timestamp, used } = await chain.observeFinal(from, nonce);
    const can = reason === SPENT ? !used : used || BigInt(timestamp) <= BigInt(validBefore);
    if (can) return { payment, observation: { ...observation, onChain: null } };
    const { endpoint, muse_id } = acceptedOf(payment).data;
    const state = payment.state as Settled;
    const undone = (await this.effectOn(payment).undo?.(state, this.dependencies.ledger.undoingOf(payment))) ?? false;
    const lost = { muse_id, endpoint, tx: state.tx, block, reason, undone };
    return this.write(progress, id => PaymentLost({ payment: id, ...lost }));
  }

  private effectOn(payment: PaymentStream): Effect {
    return this.dependencies.effectOf(acceptedOf(payment).data.endpoint);
  }

  private async apply(progress: Progress): Promise<Progress> {
    const { payment } = progress;
    const { endpoint, muse_id } = acceptedOf(payment).data;
    const result = await this.applied(payment);
    const reason = result.outcome === 'void' ? result.reason : null;
    const applied = (id: string) => PaymentApplied({ payment: id, muse_id, endpoint, outcome: result.outcome, reason });
    return this.write(progress, applied);
  }

  /** A refusal here would leave what was paid for undone without a word, so it is a defect and no answer. */
  private async applied(payment: PaymentStream): ReturnType<Effect['apply']> {
    try {
      return await this.effectOn(payment).apply(payment.state as Settled, this.dependencies.ledger.contextOf(payment));
    } catch (cause) {
      if (cause instanceof Refusal && cause.code !== 'busy') throw new NotApplied(cause);
      throw cause;
    }
  }

  private async write(
    { payment, observation }: Progress,
    fact: (payment: string) => Parameters<Ledger['append']>[1],
  ): Promise<Progress> {
    return {
      payment: await this.dependencies.ledger.append(payment, fact(acceptedOf(payment).data.payment)),
      observation,
    };
  }

  /** What the relayer needs to sign a transaction and to write it down, and the stream once that is done. */
  private signing(payment: PaymentStream, above?: string) {
    const { payment: id } = acceptedOf(payment).data;
    const { signature, ...authorization } = authorizationOf(acceptedOf(payment));
    const { chain } = this.connection(payment);
    let extended = payment;
    const write = async (signed: SignedTransaction) => {
      extended = await this.dependencies.ledger.append(payment, submittedFact(id, signed));
      return newestOf(extended).tx;
    };
    const sign = (nonce: number) => chain.sign(authorization, signature, nonce, above);
    return { signing: { payment: id, sign, write }, written: () => extended };
  }

  private connection(payment: PaymentStream): RailConnection {
    const { payment: id, rail } = acceptedOf(payment).data;
    const sent = payment.state.status === 'unknown' ? undefined : payment.state.submitted.at(-1);
    return accountFor(this.dependencies.connectionsOf(rail), ({ chain }) => chain, id, sent?.relayer)!;
  }
}
