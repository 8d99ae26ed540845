import type { Claims } from '#libs/claims/claims.js';
import { PaymentApplied, PaymentExpired, PaymentLost, PaymentRefused, PaymentSettled } from '#libs/domain/payment.js';
import type { Clock } from '#libs/kernel/clock.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { selectAccount } from './account-selection.js';
import { TransactionRejected, type Chain, type SignedTransaction } from './chain.port.js';
import { acceptedEvent, signedAuthorization, type Ledger, type PaymentStream } from './ledger.js';
import { PaymentEffectError } from './payment-effect-error.js';
import { observePayment } from './observe-payment.js';
import type { OpenPayments } from './open-payments.js';
import { type LossReason, type Observation, type AuthorizationStatus, SPENT, type Step } from './payment-machine.js';
import type { Effect, SettledPaymentState } from './purchase.js';
import type { Relayer } from './relayer.js';
import { OVERTAKEN, reserveClaims } from './reserve-claims.js';
import { latestSubmission, rawTransaction, submittedFact } from './submission.js';
import type { Timing } from './timing.js';

/** A payment under way: what is written down, and what this drive has observed. */
export interface SettlementState {
  readonly payment: PaymentStream;
  readonly observation: Observation;
}

/** The chain of a rail, and an account that sends there. */
export interface RailConnection {
  readonly chain: Chain;
  readonly relayer: Relayer;
}

export interface SettlementExecutorDependencies {
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
const UNCONFIRMED: AuthorizationStatus = { status: 'unconfirmed' };

/** Does what `nextStep` says. What is sent to a chain is written down before it is sent. */
export class SettlementExecutor {
  constructor(private readonly dependencies: SettlementExecutorDependencies) {}

  async execute(step: Step, progress: SettlementState): Promise<SettlementState> {
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
        return this.appendFact(progress, payment => PaymentRefused({ payment, reason: step.reason }));
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

  private async claim({ payment, observation }: SettlementState): Promise<SettlementState> {
    const { claims, ledger } = this.dependencies;
    const reason =
      (await reserveClaims(claims, ledger, payment, ledger.effectContext(payment))) ??
      (await this.findOvertakenReason(payment));
    return { payment, observation: { ...observation, claims: reason === null ? 'had' : { lost: reason } } };
  }

  /** Another payment for the same may have been applied between the checks of this request and its claims. */
  private async findOvertakenReason(payment: PaymentStream): Promise<string | null> {
    const { effectOf, ledger } = this.dependencies;
    const accepted = acceptedEvent(payment);
    const effect = effectOf(accepted.data.endpoint);
    if (await effect.isOvertaken?.(accepted)) return OVERTAKEN;
    const begun = (await effect.onAccepted?.(accepted, ledger.acceptanceContext(payment))) ?? true;
    return begun ? null : OVERTAKEN;
  }

  private async observe({ payment, observation }: SettlementState): Promise<SettlementState> {
    const { clock, timing } = this.dependencies;
    const { chain } = this.connection(payment);
    const observed = await observePayment({ chain, clock, timing, payment, previous: observation });
    return { payment, observation: { ...observation, ...observed } };
  }

  private async submit({ payment, observation }: SettlementState): Promise<SettlementState> {
    const { signing, written } = this.prepareSigning(payment);
    const here = await this.connection(payment).relayer.submit(signing);
    if (!here) return { payment, observation: { ...observation, authorizationStatus: UNCONFIRMED } };
    return { payment: written(), observation: { ...observation, transaction: 'unsent' } };
  }

  /** Sends the raw transaction that is written down. The node may have it already: that changes nothing. */
  private async broadcast({ payment, observation }: SettlementState): Promise<SettlementState> {
    const { chain, relayer } = this.connection(payment);
    const { payment: id } = acceptedEvent(payment).data;
    const newest = latestSubmission(payment);
    try {
      await chain.broadcast(rawTransaction(newest));
    } catch (error) {
      relayer.markFailed(id, error instanceof TransactionRejected);
      if (!(error instanceof TransactionRejected)) throw error;
      return { payment, observation: { ...observation, authorizationStatus: null, transaction: 'rejected' } };
    }
    relayer.markBroadcast(id, newest.tx);
    return { payment, observation: { ...observation, authorizationStatus: null, transaction: 'sent' } };
  }

  /**
   * Replaces a transaction that no block takes. Where the node has lost it, it is sent again; where a lower nonce of the
   * account was never used, it is signed anew at that one; where it waits, it is signed at its own with a higher
   * fee. Behind a transaction of another payment that waits itself no fee of its own would help.
   */
  private async replace(progress: SettlementState): Promise<SettlementState> {
    const { chain, relayer } = this.connection(progress.payment);
    const { relayer: account, relayer_nonce: nonce, fee } = latestSubmission(progress.payment);
    if (account.toLowerCase() !== chain.relayer.toLowerCase()) return this.submit(progress);
    const [pending, mined] = await Promise.all([chain.nextRelayerNonce(), chain.minedRelayerNonce()]);
    if (mined < Math.min(nonce, pending)) {
      await this.clearBlockedNonce(progress.payment, mined);
      if (pending > nonce) return this.observeLater(progress);
    }
    if (pending === nonce) return this.observeLater(await this.broadcast(progress));
    const { signing, written } = this.prepareSigning(progress.payment, pending > nonce ? fee : undefined);
    if (!(await relayer.resubmit(signing, Math.min(pending, nonce)))) return this.observeLater(progress);
    return this.observeLater(await this.broadcast({ ...progress, payment: written() }));
  }

  /**
   * The first transaction of the line waits, and holds up all behind it. One of a payment that can still settle is
   * replaced by whoever drives that one; any other one, of a payment that has expired, by nobody else.
   */
  private async clearBlockedNonce(payment: PaymentStream, nonce: number): Promise<void> {
    const { open, timing } = this.dependencies;
    const { chain, relayer } = this.connection(payment);
    if (await open.isNonceInUse(acceptedEvent(payment).data.payment, chain.relayer, nonce)) return;
    await relayer.clearNonce(nonce, timing.stuckMs);
  }

  private observeLater({ payment, observation }: SettlementState): SettlementState {
    return { payment, observation: { ...observation, authorizationStatus: UNCONFIRMED } };
  }

  private async expire(progress: SettlementState): Promise<SettlementState> {
    const { chain } = this.connection(progress.payment);
    const { from, nonce, validBefore } = signedAuthorization(acceptedEvent(progress.payment));
    const { block, timestamp, used } = await chain.observeFinal(from, nonce);
    if (used || BigInt(timestamp) <= BigInt(validBefore))
      return { ...progress, observation: { ...progress.observation, authorizationStatus: null } };
    return this.appendFact(progress, payment => PaymentExpired({ payment, block }));
  }

  /** Again after a reorganisation: then it names what rests on it. */
  private async settle(
    progress: SettlementState,
    { tx, block }: { tx: string; block: number },
  ): Promise<SettlementState> {
    const { state } = progress.payment;
    const wage = state.status === 'applied' ? await this.effectFor(progress.payment).findWage?.(state) : null;
    return this.appendFact(progress, payment => PaymentSettled({ payment, tx, block, ...(wage && { wage }) }));
  }

  /** What was paid for is taken back before the payment is said to be lost: who finds it lost finds that done. */
  private async lose(progress: SettlementState, reason: LossReason): Promise<SettlementState> {
    const { payment, observation } = progress;
    const { chain } = this.connection(payment);
    const { from, nonce, validBefore } = signedAuthorization(acceptedEvent(payment));
    const { block, timestamp, used } = await chain.observeFinal(from, nonce);
    const can = reason === SPENT ? !used : used || BigInt(timestamp) <= BigInt(validBefore);
    if (can) return { payment, observation: { ...observation, authorizationStatus: null } };
    const { endpoint, muse_id } = acceptedEvent(payment).data;
    const state = payment.state as SettledPaymentState;
    const undone =
      (await this.effectFor(payment).onReverted?.(state, this.dependencies.ledger.revertContext(payment))) ?? false;
    const lost = { muse_id, endpoint, tx: state.tx, block, reason, undone };
    return this.appendFact(progress, id => PaymentLost({ payment: id, ...lost }));
  }

  private effectFor(payment: PaymentStream): Effect {
    return this.dependencies.effectOf(acceptedEvent(payment).data.endpoint);
  }

  private async apply(progress: SettlementState): Promise<SettlementState> {
    const { payment } = progress;
    const { endpoint, muse_id } = acceptedEvent(payment).data;
    const result = await this.applyEffect(payment);
    const reason = result.outcome === 'void' ? result.reason : null;
    const applied = (id: string) => PaymentApplied({ payment: id, muse_id, endpoint, outcome: result.outcome, reason });
    return this.appendFact(progress, applied);
  }

  /** A refusal here would leave what was paid for undone without a word, so it is a defect and no answer. */
  private async applyEffect(payment: PaymentStream): ReturnType<Effect['apply']> {
    try {
      return await this.effectFor(payment).apply(
        payment.state as SettledPaymentState,
        this.dependencies.ledger.effectContext(payment),
      );
    } catch (cause) {
      if (cause instanceof Refusal && cause.code !== 'busy') throw new PaymentEffectError(cause);
      throw cause;
    }
  }

  private async appendFact(
    { payment, observation }: SettlementState,
    fact: (payment: string) => Parameters<Ledger['append']>[1],
  ): Promise<SettlementState> {
    return {
      payment: await this.dependencies.ledger.append(payment, fact(acceptedEvent(payment).data.payment)),
      observation,
    };
  }

  /** What the relayer needs to sign a transaction and to write it down, and the stream once that is done. */
  private prepareSigning(payment: PaymentStream, above?: string) {
    const { payment: id } = acceptedEvent(payment).data;
    const { signature, ...authorization } = signedAuthorization(acceptedEvent(payment));
    const { chain } = this.connection(payment);
    let extended = payment;
    const write = async (signed: SignedTransaction) => {
      extended = await this.dependencies.ledger.append(payment, submittedFact(id, signed));
      return latestSubmission(extended).tx;
    };
    const sign = (nonce: number) => chain.sign(authorization, signature, nonce, above);
    return { signing: { payment: id, sign, write }, written: () => extended };
  }

  private connection(payment: PaymentStream): RailConnection {
    const { payment: id, rail } = acceptedEvent(payment).data;
    const sent = payment.state.status === 'unknown' ? undefined : payment.state.submitted.at(-1);
    return selectAccount(this.dependencies.connectionsOf(rail), ({ chain }) => chain, id, sent?.relayer)!;
  }
}
