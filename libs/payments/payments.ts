import { setTimeout as pause } from 'node:timers/promises';
import type { Claims } from '#libs/claims/claims.js';
import type { Coordination } from '#libs/platform/coordination/port.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import type { CommandResult } from '#libs/kernel/command-result.js';
import type { Clock } from '#libs/kernel/clock.js';
import type { Integers } from '#libs/kernel/ids.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { Acceptance } from './acceptance.js';
import { firstChainOfEachRail } from './account-selection.js';
import type { Chain } from './chain.port.js';
import { SettlementDriver } from './settlement-driver.js';
import { PaymentAssignment } from './payment-assignment.js';
import { EarlierPayments } from './earlier-payments.js';
import { FinalityWatcher } from './finality-watcher.js';
import { Ledger } from './ledger.js';
import type { PaymentLimits } from './payment-limits.js';
import type { Step } from './payment-machine.js';
import { paymentRequired, type OfferSettings } from './offers.js';
import { OpenPayments, type OpenPayment } from './open-payments.js';
import { type EndedPayment, PaymentResponder } from './payment-responder.js';
import { SettlementExecutor, type RailConnection } from './settlement-executor.js';
import type { Effect, PaidRequest, Purchase } from './purchase.js';
import { Relayer } from './relayer.js';
import { SettledPayments, type SettledPayment } from './settled-payments.js';
import { TIMING, type Timing } from './timing.js';
import { SettlementErrorLog } from './settlement-error-log.js';
import { Watchdog } from './watchdog.js';

export interface PaymentsDependencies {
  readonly journal: Journal;
  readonly claims: Claims;
  readonly coordination: Coordination;
  readonly clock: Clock;
  readonly integers: Integers;
  /** Of each rail one for each account that sends there. */
  readonly chains: readonly Chain[];
  /** One for each paid endpoint. Looked up for each payment, so that the list may be filled after the start. */
  readonly effects: readonly Effect[];
  readonly offers: OfferSettings;
  /** None where limits are off. */
  readonly limits?: PaymentLimits;
  /** Says itself which payments have not ended. */
  readonly log: Pick<EventLog, 'readAll' | 'readNews' | 'head'>;
  /** Names this process among those that share a relayer account and the open payments; no two have the same. */
  readonly holder: string;
  readonly timing?: Partial<Timing>;
  /** Is called with defects that no caller sees. */
  readonly report?: (error: unknown, payment: string) => void;
  readonly sleep?: (ms: number) => Promise<void>;
  /** Called before and after each step of a payment. A throw ends the drive as a crash would. */
  readonly beforeStep?: (step: Step, payment: string) => void | Promise<void>;
  readonly afterStep?: (step: Step, payment: string) => void | Promise<void>;
}

/**
 * Everything that is paid for: one authorization, at most one transfer, exactly one effect, exactly one receipt, also
 * when any process dies at any instant.
 */
export class Payments {
  private readonly timing: Timing;
  private readonly relayers: readonly Relayer[];
  private readonly errorLog: SettlementErrorLog;
  private readonly driver: SettlementDriver;
  private readonly earlierPayments: EarlierPayments;
  private readonly acceptance: Acceptance;
  private readonly watchdog: Watchdog;
  private readonly openPayments: OpenPayments;
  private readonly settledPayments: SettledPayments;

  constructor(private readonly dependencies: PaymentsDependencies) {
    const { clock, coordination, journal, integers, claims } = dependencies;
    this.timing = { ...TIMING, ...dependencies.timing };
    this.errorLog = new SettlementErrorLog((error, payment) => dependencies.report?.(error, payment));
    const ledger = new Ledger(journal, clock, integers);
    const connections = this.connectRelayers();
    this.relayers = connections.map(({ relayer }) => relayer);
    this.settledPayments = new SettledPayments(dependencies.chains, clock);
    this.openPayments = new OpenPayments({ ...dependencies, settled: this.settledPayments });
    this.driver = this.makeDriver(ledger, connections);
    const outcomes = new PaymentResponder(dependencies, ledger, this.driver, this.timing.waitMs);
    this.earlierPayments = new EarlierPayments(ledger, claims, outcomes);
    this.acceptance = new Acceptance(dependencies, ledger, outcomes);
    const drivers = new PaymentAssignment(coordination, clock, dependencies.holder);
    const { driver, timing, report, settledPayments: settled } = this;
    const chains = firstChainOfEachRail(dependencies.chains);
    const finality = new FinalityWatcher({ chains, settled, ledger, driver, clock, timing });
    this.watchdog = new Watchdog({ open: this.openPayments, assignment: drivers, driver, finality, timing, report });
  }

  /**
   * The answer of a paid request: that of the payment that was made for it before, or else that of the payment it
   * presents. `purchase` applies the endpoint's own rules and throws their refusals; where there is nothing to pay it
   * answers.
   *
   * Errors: 402 with an offer; 409 `settlement_pending`, `settlement_unknown`, `payment_used`, and the code of a thing
   * that is taken; 503 `payments_unavailable` where nothing was written down.
   */
  async buy(request: PaidRequest, purchase: () => Promise<Purchase | CommandResult>): Promise<CommandResult> {
    const earlier = await this.earlierPayments.find(request);
    if (earlier && 'body' in earlier) return earlier;
    const attempt = {
      decide: purchase,
      previousEnd: earlier,
      findEarlier: () => this.findEarlierAnswer(request),
      findTwin: (ended: EndedPayment) => this.earlierPayments.findDuplicate(request, ended),
    };
    const checked = await this.acceptance.check(request, attempt);
    return 'body' in checked ? checked : this.acceptance.accept(request, checked, attempt);
  }

  /** The answer of a payment that was made for this very request, or null; drives one that is under way. */
  async findEarlierAnswer(request: PaidRequest): Promise<CommandResult | null> {
    const earlier = await this.earlierPayments.find(request);
    return earlier && 'body' in earlier ? earlier : null;
  }

  /** Whether a payment was made, or is under way, for a request key. */
  isPaid(requestKey: string): Promise<boolean> {
    return this.earlierPayments.isPaid(requestKey);
  }

  /** The offer to a request that presents no payment. */
  offer(purchase: Parameters<typeof paymentRequired>[0], unsigned?: string): Refusal {
    return paymentRequired(purchase, this.dependencies.offers, unsigned);
  }

  /** The payments that have not ended, the oldest first. Errors: `Unavailable`. */
  listOpen(): Promise<readonly OpenPayment[]> {
    return this.openPayments.all();
  }

  /** How many payments of this process the chain shows as used while no node shows where. */
  countUnclear(): number {
    return this.errorLog.unclearCount;
  }

  /** The payments whose settlement is not known to be final, the oldest first. Errors: `Unavailable`. */
  async listNotFinal(): Promise<readonly SettledPayment[]> {
    await this.openPayments.all();
    return this.settledPayments.all();
  }

  /** Drives every payment that has not ended and is this process's, once. */
  reconcile(): Promise<void> {
    return this.watchdog.runPass();
  }

  start(): void {
    this.driver.start();
    this.watchdog.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.driver.stop(), this.watchdog.stop()]);
    await Promise.allSettled(this.relayers.map(relayer => relayer.release()));
  }

  private connectRelayers(): readonly RailConnection[] {
    const { coordination, clock, holder, chains } = this.dependencies;
    const { idleMs } = this.timing;
    return chains.map(chain => ({ chain, relayer: new Relayer({ chain, coordination, clock, holder, idleMs }) }));
  }

  private makeDriver(ledger: Ledger, connections: readonly RailConnection[]): SettlementDriver {
    const { claims, clock, effects, sleep = pause } = this.dependencies;
    const { beforeStep = () => undefined, afterStep = () => undefined } = this.dependencies;
    const { timing, errorLog: troubles } = this;
    const connectionsOf = (rail: string) => {
      const all = connections.filter(({ chain }) => chain.rail.name === rail);
      if (all.length === 0) throw new Error(`The rail ${rail} is not configured.`);
      return all;
    };
    const effectOf = (endpoint: string) =>
      requireDefined(
        effects.find(effect => effect.endpoint === endpoint),
        `Nothing carries out what ${endpoint} sells.`,
      );
    const performer = new SettlementExecutor({
      ledger,
      claims,
      clock,
      timing,
      open: this.openPayments,
      connectionsOf,
      effectOf,
    });
    const ended = (payment: string) => connections.forEach(({ relayer }) => relayer.forgetPayment(payment));
    return new SettlementDriver({
      ledger,
      executor: performer,
      clock,
      timing,
      sleep,
      errorLog: troubles,
      beforeStep,
      afterStep,
      onEnded: ended,
    });
  }

  private readonly report = (error: unknown, payment: string) => this.dependencies.report?.(error, payment);
}

function requireDefined<T>(value: T | undefined, otherwise: string): T {
  if (value === undefined) throw new Error(otherwise);
  return value;
}
