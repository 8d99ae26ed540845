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
import { type LossReason, type Observation, SPENT, type Step } from './payment-machine.js';
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

interface SettlementExecutorDependencies {
  readonly ledger: Ledger;
  readonly claims: Claims;
  readonly clock: Clock;
  readonly timing: Timing;
  readonly open: OpenPayments;
  readonly connections: readonly RailConnection[];
  readonly effects: readonly Effect[];
}

const withObservation = (
  { payment, observation }: SettlementState,
  changes: Partial<Observation>,
): SettlementState => ({
  payment,
  observation: { ...observation, ...changes },
});

const observeLater = (state: SettlementState) =>
  withObservation(state, { authorizationStatus: { status: 'unconfirmed' } });

/** Executes the steps of `nextStep`. Records every transaction before sending it. */
export class SettlementExecutor {
  constructor(private readonly dependencies: SettlementExecutorDependencies) {}

  async execute(step: Step, state: SettlementState): Promise<SettlementState> {
    switch (step.do) {
      case 'settle':
        return this.settle(state, step);
      case 'refuse':
        return this.appendFact(state, payment => PaymentRefused({ payment, reason: step.reason }));
      case 'lose':
        return this.lose(state, step.reason);
      case 'wait':
      case 'done':
        return state;
      case 'claim':
      case 'observe':
      case 'submit':
      case 'broadcast':
      case 'replace':
      case 'expire':
      case 'apply':
        return this[step.do](state);
    }
  }

  private async claim(state: SettlementState): Promise<SettlementState> {
    const { claims, ledger } = this.dependencies;
    const { payment } = state;
    void this.connection(payment).relayer.prepare();
    const reason =
      (await reserveClaims(claims, ledger, payment, ledger.effectContext(payment))) ??
      (await this.findOvertakenReason(payment));
    return withObservation(state, { claims: reason === null ? 'held' : { lost: reason } });
  }

  private async findOvertakenReason(payment: PaymentStream): Promise<string | null> {
    const accepted = acceptedEvent(payment);
    const effect = this.effectFor(payment);
    if (await effect.isOvertaken?.(accepted)) return OVERTAKEN;
    const context = this.dependencies.ledger.effectContext(payment);
    const canProceed = (await effect.onAccepted?.(accepted, context)) ?? true;
    return canProceed ? null : OVERTAKEN;
  }

  private async observe(state: SettlementState): Promise<SettlementState> {
    const { clock, timing } = this.dependencies;
    const { payment, observation: previous } = state;
    const { chain } = this.connection(payment);
    return withObservation(state, await observePayment({ chain, clock, timing, payment, previous }));
  }

  private async submit(state: SettlementState): Promise<SettlementState> {
    const { signing, submittedPayment } = this.prepareSigning(state.payment);
    const hasSigned = await this.connection(state.payment).relayer.submit(signing);
    if (!hasSigned) return observeLater(state);
    return withObservation({ ...state, payment: submittedPayment() }, { transaction: 'unsent' });
  }

  /** Succeeds if the node has the transaction already. */
  private async broadcast(state: SettlementState): Promise<SettlementState> {
    const { payment } = state;
    const { chain, relayer } = this.connection(payment);
    const { payment: id } = acceptedEvent(payment).data;
    const submission = latestSubmission(payment);
    try {
      await chain.broadcast(rawTransaction(submission));
    } catch (error) {
      relayer.markFailed(id, error instanceof TransactionRejected);
      if (!(error instanceof TransactionRejected)) throw error;
      return withObservation(state, { authorizationStatus: null, transaction: 'rejected' });
    }
    relayer.markBroadcast(id, submission.tx);
    return withObservation(state, { authorizationStatus: null, transaction: 'sent' });
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
      if (pending > nonce) return observeLater(state);
    }
    if (pending === nonce) return observeLater(await this.broadcast(state));
    const { signing, submittedPayment } = this.prepareSigning(state.payment, pending > nonce ? fee : undefined);
    if (!(await relayer.resubmit(signing, Math.min(pending, nonce)))) return observeLater(state);
    return observeLater(await this.broadcast({ ...state, payment: submittedPayment() }));
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

  private async expire(state: SettlementState): Promise<SettlementState> {
    const { block, hasExpired } = await this.observeFinal(state.payment);
    if (!hasExpired) return withObservation(state, { authorizationStatus: null });
    return this.appendFact(state, payment => PaymentExpired({ payment, block }));
  }

  private async observeFinal(payment: PaymentStream) {
    const { from, nonce, validBefore } = signedAuthorization(acceptedEvent(payment));
    const { block, timestamp, used } = await this.connection(payment).chain.observeFinal(from, nonce);
    return { block, used, hasExpired: !used && BigInt(timestamp) > BigInt(validBefore) };
  }

  /** After a reorganisation `PaymentSettled` is written again and names the wage that depends on it. */
  private async settle(state: SettlementState, { tx, block }: { tx: string; block: number }): Promise<SettlementState> {
    const { payment } = state;
    const wage = payment.state.status === 'applied' ? await this.effectFor(payment).findWage?.(payment.state) : null;
    return this.appendFact(state, id => PaymentSettled({ payment: id, tx, block, ...(wage && { wage }) }));
  }

  /** Reverts the effect before writing `PaymentLost`, so that every reader of that event finds it reverted. */
  private async lose(state: SettlementState, reason: LossReason): Promise<SettlementState> {
    const { payment } = state;
    const { block, used, hasExpired } = await this.observeFinal(payment);
    const isLost = reason === SPENT ? used : hasExpired;
    if (!isLost) return withObservation(state, { authorizationStatus: null });
    const { endpoint, muse_id } = acceptedEvent(payment).data;
    const settled = payment.state as SettledPaymentState;
    const context = this.dependencies.ledger.revertContext(payment);
    const undone = (await this.effectFor(payment).onReverted?.(settled, context)) ?? false;
    const lost = { muse_id, endpoint, tx: settled.tx, block, reason, undone };
    return this.appendFact(state, id => PaymentLost({ payment: id, ...lost }));
  }

  private effectFor(payment: PaymentStream): Effect {
    const { endpoint } = acceptedEvent(payment).data;
    const effect = this.dependencies.effects.find(each => each.endpoint === endpoint);
    if (!effect) throw new Error(`The endpoint ${endpoint} has no effect.`);
    return effect;
  }

  private async apply(state: SettlementState): Promise<SettlementState> {
    const { payment } = state;
    const { endpoint, muse_id } = acceptedEvent(payment).data;
    const { outcome, reason = null, basedOn } = await this.applyEffect(payment);
    const applied = (id: string) => PaymentApplied({ payment: id, muse_id, endpoint, outcome, reason });
    return this.appendFact(state, applied, basedOn);
  }

  /** A refusal here would silently leave a paid purchase undone, so it is reported as a defect. */
  private async applyEffect(payment: PaymentStream): ReturnType<Effect['apply']> {
    try {
      const context = this.dependencies.ledger.effectContext(payment);
      return await this.effectFor(payment).apply(payment.state as SettledPaymentState, context);
    } catch (cause) {
      if (cause instanceof Refusal && cause.code !== 'busy') throw new PaymentEffectError(cause);
      throw cause;
    }
  }

  private async appendFact(
    { payment, observation }: SettlementState,
    fact: (payment: string) => Parameters<Ledger['append']>[1],
    basedOn?: Parameters<Ledger['append']>[2],
  ): Promise<SettlementState> {
    const next = await this.dependencies.ledger.append(payment, fact(acceptedEvent(payment).data.payment), basedOn);
    return { payment: next, observation };
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
    const connections = this.dependencies.connections.filter(({ chain }) => chain.rail.name === rail);
    const selected = selectAccount(connections, ({ chain }) => chain, id, latest?.relayer);
    if (!selected) throw new Error(`The rail ${rail} is not configured.`);
    return selected;
  }
}
