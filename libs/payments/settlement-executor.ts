import type { Claims } from '#libs/claims/claims.js';
import {
  isOpenPayment,
  PaymentApplied,
  PaymentExpired,
  PaymentLost,
  PaymentRefused,
  PaymentSettled,
} from '#libs/domain/payment.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { Clock } from '#libs/kernel/clock.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { selectAccount } from './account-selection.js';
import type { SignedTransaction } from './chain.port.js';
import {
  acceptedEvent,
  settlingCallOf,
  signedPayment,
  type Ledger,
  type PaymentStream,
  submittedFact,
  submittedIn,
} from './ledger.js';
import { type DrivenMachine, type SettlementDriver, withObservation } from './settlement-driver.js';
import { PaymentEffectError, type SettlementErrorLog } from './settlement-error-log.js';
import { observePayment } from './observe-payment.js';
import { type LossReason, nextStep, type Observation, SPENT, type Step, UNOBSERVED } from './payment-machine.js';
import type { Effect, SettledPaymentState } from './purchase.js';
import { OVERTAKEN, reserveClaims } from './reserve-claims.js';
import { countSpending, OVER_LIMIT } from './spending.js';
import type { Timing } from './timing.js';
import type { RailConnection, SendingTask, TransactionSender } from './transaction-sender.js';

export type PaymentDriver = SettlementDriver<SettlementState, Step>;

export interface SettlementState {
  readonly payment: PaymentStream;
  readonly observation: Observation;
}

interface SettlementExecutorDependencies {
  readonly journal: Journal;
  readonly ledger: Ledger;
  readonly claims: Claims;
  readonly clock: Clock;
  readonly timing: Timing;
  readonly connections: readonly RailConnection[];
  readonly effects: readonly Effect[];
  readonly sender: TransactionSender;
  readonly errorLog: SettlementErrorLog;
}

/** Executes the steps of `nextStep`. Records every transaction before sending it. */
export class SettlementExecutor implements DrivenMachine<SettlementState, Step> {
  constructor(private readonly dependencies: SettlementExecutorDependencies) {}

  async load(id: string, start: Partial<SettlementState>): Promise<SettlementState> {
    const payment = start.payment ?? (await this.dependencies.ledger.load(id));
    return { payment, observation: start.observation ?? UNOBSERVED };
  }

  next({ payment, observation }: SettlementState): Step {
    return nextStep(payment.state, observation);
  }

  isOpen({ payment }: SettlementState): boolean {
    return isOpenPayment(payment.state);
  }

  async execute(step: Step, state: SettlementState): Promise<SettlementState> {
    const next = await this.executeStep(step, state);
    this.dependencies.errorLog.recordStatus(acceptedEvent(state.payment).data.payment, next.observation.onChain);
    return next;
  }

  private async executeStep(step: Step, state: SettlementState): Promise<SettlementState> {
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
      case 'submit':
      case 'broadcast':
      case 'replace':
        return this.send(step.do, state);
      case 'claim':
      case 'observe':
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
      (await this.findOverLimitReason(payment)) ??
      (await this.findOvertakenReason(payment));
    return withObservation(state, { claims: reason === null ? 'held' : { lost: reason } });
  }

  private async findOverLimitReason(payment: PaymentStream): Promise<string | null> {
    const { journal, ledger } = this.dependencies;
    return (await countSpending(journal, payment, ledger.effectContext(payment))) ? null : OVER_LIMIT;
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

  private async send(how: 'submit' | 'broadcast' | 'replace', state: SettlementState): Promise<SettlementState> {
    const { stream, changes } = await this.dependencies.sender[how](this.sendingTask(state.payment));
    return withObservation({ ...state, payment: stream }, changes);
  }

  private async expire(state: SettlementState): Promise<SettlementState> {
    const { block, hasExpired } = await this.observeFinal(state.payment);
    if (!hasExpired) return withObservation(state, { onChain: null });
    return this.appendFact(state, payment => PaymentExpired({ payment, block }));
  }

  private async observeFinal(payment: PaymentStream) {
    const { from, nonce, validBefore } = signedPayment(acceptedEvent(payment));
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
    if (!isLost) return withObservation(state, { onChain: null });
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

  private sendingTask(payment: PaymentStream): SendingTask<PaymentStream> {
    const { payment: key } = acceptedEvent(payment).data;
    const connection = this.connection(payment);
    const call = () => settlingCallOf(acceptedEvent(payment));
    const record = (stream: PaymentStream, signed: SignedTransaction) =>
      this.dependencies.ledger.append(stream, submittedFact(key, signed));
    return { key, connection, stream: payment, call, submitted: submittedIn, record };
  }

  private connection(payment: PaymentStream): RailConnection {
    const { payment: id, rail, escrow } = acceptedEvent(payment).data;
    const connections = this.dependencies.connections.filter(({ chain }) => chain.rail.name === rail);
    const selected = selectAccount(connections, ({ chain }) => chain, id, {
      sentBy: submittedIn(payment).at(-1)?.relayer,
      only: escrow?.operator,
    });
    if (!selected)
      throw new Error(escrow ? `The account ${escrow.operator} is missing.` : `The rail ${rail} is not configured.`);
    return selected;
  }
}
