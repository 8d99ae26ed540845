import type { Claims } from '#libs/claims/claims.js';
import { PaymentApplied, PaymentExpired, PaymentLost, PaymentRefused, PaymentSettled } from '#libs/domain/payment.js';
import type { Clock } from '#libs/kernel/clock.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { selectAccount } from './account-selection.js';
import { TransactionRejected, type Chain, type SignedTransaction } from './chain.port.js';
import {
  acceptedEvent,
  signedAuthorization,
  type Ledger,
  type PaymentStream,
  latestSubmission,
  rawTransaction,
  submittedFact,
} from './ledger.js';
import { PaymentEffectError } from './settlement-error-log.js';
import { observePayment } from './observe-payment.js';
import type { OpenPayments } from './open-payments.js';
import { type LossReason, type Observation, type AuthorizationStatus, SPENT, type Step } from './payment-machine.js';
import type { Effect, SettledPaymentState } from './purchase.js';
import type { Relayer } from './relayer.js';
import { OVERTAKEN, reserveClaims } from './reserve-claims.js';
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

  async execute(step: Step, state: SettlementState): Promise<SettlementState> {
    switch (step.do) {
      case 'claim':
        return this.claim(state);
      case 'observe':
        return this.observe(state);
      case 'submit':
        return this.submit(state);
      case 'broadcast':
        return this.broadcast(state);
      case 'replace':
        return this.replace(state);
      case 'settle':
        return this.settle(state, step);
      case 'refuse':
        return this.appendFact(state, payment => PaymentRefused({ payment, reason: step.reason }));
      case 'expire':
        return this.expire(state);
      case 'apply':
        return this.apply(state);
      case 'lose':
        return this.lose(state, step.reason);
      case 'wait':
      case 'done':
        return state;
      default:
        step satisfies never;
        return state;
    }
  }

  private async claim({ payment, observation }: SettlementState): Promise<SettlementState> {
    const { claims, ledger } = this.dependencies;
    void this.connection(payment).relayer.prepare();
    const reason =
      (await reserveClaims(claims, ledger, payment, ledger.effectContext(payment))) ??
      (await this.findOvertakenReason(payment));
    return { payment, observation: { ...observation, claims: reason === null ? 'held' : { lost: reason } } };
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
    const { signing, submittedPayment } = this.prepareSigning(payment);
    const hasSigned = await this.connection(payment).relayer.submit(signing);
    if (!hasSigned) return { payment, observation: { ...observation, authorizationStatus: UNCONFIRMED } };
    return { payment: submittedPayment(), observation: { ...observation, transaction: 'unsent' } };
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
  private async replace(state: SettlementState): Promise<SettlementState> {
    const { chain, relayer } = this.connection(state.payment);
    const { relayer: account, relayer_nonce: nonce, fee } = latestSubmission(state.payment);
    if (account.toLowerCase() !== chain.relayer.toLowerCase()) return this.submit(state);
    const [pending, mined] = await Promise.all([chain.nextRelayerNonce(), chain.minedRelayerNonce()]);
    if (mined < Math.min(nonce, pending)) {
      await this.clearBlockedNonce(state.payment, mined);
      if (pending > nonce) return this.observeLater(state);
    }
    if (pending === nonce) return this.observeLater(await this.broadcast(state));
    const { signing, submittedPayment } = this.prepareSigning(state.payment, pending > nonce ? fee : undefined);
    if (!(await relayer.resubmit(signing, Math.min(pending, nonce)))) return this.observeLater(state);
    return this.observeLater(await this.broadcast({ ...state, payment: submittedPayment() }));
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

  private async expire(state: SettlementState): Promise<SettlementState> {
    const { chain } = this.connection(state.payment);
    const { from, nonce, validBefore } = signedAuthorization(acceptedEvent(state.payment));
    const { block, timestamp, used } = await chain.observeFinal(from, nonce);
    if (used || BigInt(timestamp) <= BigInt(validBefore))
      return { ...state, observation: { ...state.observation, authorizationStatus: null } };
    return this.appendFact(state, payment => PaymentExpired({ payment, block }));
  }

  /** After a reorganisation `PaymentSettled` is written again and names the wage that depends on it. */
  private async settle(state: SettlementState, { tx, block }: { tx: string; block: number }): Promise<SettlementState> {
    const { payment } = state;
    const wage = payment.state.status === 'applied' ? await this.effectFor(payment).findWage?.(payment.state) : null;
    return this.appendFact(state, id => PaymentSettled({ payment: id, tx, block, ...(wage && { wage }) }));
  }

  /** Reverts the effect before writing `PaymentLost`, so that every reader of that event finds it reverted. */
  private async lose(state: SettlementState, reason: LossReason): Promise<SettlementState> {
    const { payment, observation } = state;
    const { chain } = this.connection(payment);
    const { from, nonce, validBefore } = signedAuthorization(acceptedEvent(payment));
    const { block, timestamp, used } = await chain.observeFinal(from, nonce);
    const canStillSettle = reason === SPENT ? !used : used || BigInt(timestamp) <= BigInt(validBefore);
    if (canStillSettle) return { payment, observation: { ...observation, authorizationStatus: null } };
    const { endpoint, muse_id } = acceptedEvent(payment).data;
    const settledPayment = payment.state as SettledPaymentState;
    const wasReverted =
      (await this.effectFor(payment).onReverted?.(settledPayment, this.dependencies.ledger.revertContext(payment))) ??
      false;
    const lost = { muse_id, endpoint, tx: settledPayment.tx, block, reason, undone: wasReverted };
    return this.appendFact(state, id => PaymentLost({ payment: id, ...lost }));
  }

  private effectFor(payment: PaymentStream): Effect {
    return this.dependencies.effectOf(acceptedEvent(payment).data.endpoint);
  }

  private async apply(state: SettlementState): Promise<SettlementState> {
    const { payment } = state;
    const { endpoint, muse_id } = acceptedEvent(payment).data;
    const result = await this.applyEffect(payment);
    const reason = result.outcome === 'void' ? result.reason : null;
    const applied = (id: string) => PaymentApplied({ payment: id, muse_id, endpoint, outcome: result.outcome, reason });
    return this.appendFact(state, applied);
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
    let submitted = payment;
    const write = async (signed: SignedTransaction) => {
      submitted = await this.dependencies.ledger.append(payment, submittedFact(id, signed));
      return latestSubmission(submitted).tx;
    };
    const sign = (nonce: number) => chain.sign(authorization, signature, nonce, above);
    return { signing: { payment: id, sign, write }, submittedPayment: () => submitted };
  }

  private connection(payment: PaymentStream): RailConnection {
    const { payment: id, rail } = acceptedEvent(payment).data;
    const latest = payment.state.status === 'unknown' ? undefined : payment.state.submitted.at(-1);
    return selectAccount(this.dependencies.connectionsOf(rail), ({ chain }) => chain, id, latest?.relayer)!;
  }
}
