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

export interface SettlementState {
  readonly payment: PaymentStream;
  readonly observation: Observation;
}

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
  readonly connectionsOf: (rail: string) => readonly RailConnection[];
  readonly effectOf: (endpoint: string) => Effect;
}

const UNCONFIRMED: AuthorizationStatus = { status: 'unconfirmed' };

/** Executes the steps of `nextStep`. Records every transaction before sending it. */
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

  private async findOvertakenReason(payment: PaymentStream): Promise<string | null> {
    const { effectOf, ledger } = this.dependencies;
    const accepted = acceptedEvent(payment);
    const effect = effectOf(accepted.data.endpoint);
    if (await effect.isOvertaken?.(accepted)) return OVERTAKEN;
    const canProceed = (await effect.onAccepted?.(accepted, ledger.acceptanceContext(payment))) ?? true;
    return canProceed ? null : OVERTAKEN;
  }

  private async observe({ payment, observation }: SettlementState): Promise<SettlementState> {
    const { clock, timing } = this.dependencies;
    const { chain } = this.connection(payment);
    const update = await observePayment({ chain, clock, timing, payment, previous: observation });
    return { payment, observation: { ...observation, ...update } };
  }

  private async submit({ payment, observation }: SettlementState): Promise<SettlementState> {
    const { signing, written } = this.prepareSigning(payment);
    const hasSigned = await this.connection(payment).relayer.submit(signing);
    if (!hasSigned) return { payment, observation: { ...observation, authorizationStatus: UNCONFIRMED } };
    return { payment: written(), observation: { ...observation, transaction: 'unsent' } };
  }

  /** Succeeds if the node has the transaction already. */
  private async broadcast({ payment, observation }: SettlementState): Promise<SettlementState> {
    const { chain, relayer } = this.connection(payment);
    const { payment: id } = acceptedEvent(payment).data;
    const submission = latestSubmission(payment);
    try {
      await chain.broadcast(rawTransaction(submission));
    } catch (error) {
      relayer.markFailed(id, error instanceof TransactionRejected);
      if (!(error instanceof TransactionRejected)) throw error;
      return { payment, observation: { ...observation, authorizationStatus: null, transaction: 'rejected' } };
    }
    relayer.markBroadcast(id, submission.tx);
    return { payment, observation: { ...observation, authorizationStatus: null, transaction: 'sent' } };
  }

  /**
   * Replaces a transaction that no block includes: rebroadcasts one that the node has lost, fills an unused lower
   * nonce, or raises the fee. Waits while a lower nonce of another payment is pending.
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
   * Frees the lowest pending nonce if only an expired payment uses it. Other payments replace their own transactions.
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

  /** After a reorganisation `PaymentSettled` is written again and names the wage that depends on it. */
  private async settle(
    progress: SettlementState,
    { tx, block }: { tx: string; block: number },
  ): Promise<SettlementState> {
    const { state } = progress.payment;
    const wage = state.status === 'applied' ? await this.effectFor(progress.payment).findWage?.(state) : null;
    return this.appendFact(progress, payment => PaymentSettled({ payment, tx, block, ...(wage && { wage }) }));
  }

  /** Reverts the effect before writing `PaymentLost`, so that every reader of that event finds it reverted. */
  private async lose(progress: SettlementState, reason: LossReason): Promise<SettlementState> {
    const { payment, observation } = progress;
    const { chain } = this.connection(payment);
    const { from, nonce, validBefore } = signedAuthorization(acceptedEvent(payment));
    const { block, timestamp, used } = await chain.observeFinal(from, nonce);
    const canStillSettle = reason === SPENT ? !used : used || BigInt(timestamp) <= BigInt(validBefore);
    if (canStillSettle) return { payment, observation: { ...observation, authorizationStatus: null } };
    const { endpoint, muse_id } = acceptedEvent(payment).data;
    const state = payment.state as SettledPaymentState;
    const wasReverted =
      (await this.effectFor(payment).onReverted?.(state, this.dependencies.ledger.revertContext(payment))) ?? false;
    const lost = { muse_id, endpoint, tx: state.tx, block, reason, undone: wasReverted };
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

  /** A refusal here would silently leave a paid purchase undone, so it is reported as a defect. */
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
    const latest = payment.state.status === 'unknown' ? undefined : payment.state.submitted.at(-1);
    return selectAccount(this.dependencies.connectionsOf(rail), ({ chain }) => chain, id, latest?.relayer)!;
  }
}
