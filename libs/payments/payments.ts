import { setTimeout as pause } from 'node:timers/promises';
import type { Claims } from '#libs/claims/claims.js';
import type { Coordination } from '#libs/platform/coordination/port.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import type { CommandResult } from '#libs/kernel/decide.js';
import type { Clock } from '#libs/kernel/clock.js';
import type { Integers, RequestKey } from '#libs/kernel/ids.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { Acceptance } from './acceptance.js';
import { firstChainOfEachRail } from './account-selection.js';
import type { Chain } from './chain.port.js';
import { SettlementDriver } from './settlement-driver.js';
import { PaymentAssignment, Watchdog } from './watchdog.js';
import { EarlierPayments } from './earlier-payments.js';
import { EscrowAccounts } from './escrow-accounts.js';
import type { EscrowStep } from './escrow-machine.js';
import { type Escrows, makeEscrows } from './escrows.js';
import { type OpenEscrow, OpenEscrows } from './open-escrows.js';
import { FinalityWatcher } from './finality-watcher.js';
import { Ledger } from './ledger.js';
import type { PaymentLimits } from './payment-limits.js';
import type { Step } from './payment-machine.js';
import { paymentRequired, type OfferSettings } from './offers.js';
import { OpenPayments, type OpenPayment, type SettledPayment } from './open-payments.js';
import { PaymentResponder } from './payment-responder.js';
import { type PaymentDriver, SettlementExecutor } from './settlement-executor.js';
import { type RailConnection, TransactionSender } from './transaction-sender.js';
import type { Effect, PaidRequest, Price, Purchase } from './purchase.js';
import type { Vault } from '#libs/platform/vault/port.js';
import { Relayer } from './relayer.js';
import type { JwsSigner } from './signed-receipts.js';
import { TIMING, type Timing } from './timing.js';
import { SettlementErrorLog } from './settlement-error-log.js';

export interface PaymentsDependencies {
  readonly journal: Journal;
  readonly claims: Claims;
  readonly coordination: Coordination;
  readonly clock: Clock;
  readonly integers: Integers;
  readonly chains: readonly Chain[];
  readonly effects: readonly Effect[];
  readonly offers: OfferSettings;
  /** Signs offers and receipts. */
  readonly signer: JwsSigner;
  readonly limits?: PaymentLimits;
  /** Names the accounts that are retiring. */
  readonly vault?: Pick<Vault, 'get'>;
  /** Source of truth for open payments. */
  readonly log: Pick<EventLog, 'readAll' | 'readNews' | 'head'>;
  readonly holder: string;
  readonly timing?: Partial<Timing>;
  readonly report?: (error: unknown, payment: string) => void;
  readonly sleep?: (ms: number) => Promise<void>;
  /** For tests: a throw ends the drive as a crash would. */
  readonly beforeStep?: (step: Step, payment: string) => void | Promise<void>;
  readonly afterStep?: (step: Step, payment: string) => void | Promise<void>;
  readonly beforeEscrowStep?: (step: EscrowStep, payment: string) => void | Promise<void>;
  readonly afterEscrowStep?: (step: EscrowStep, payment: string) => void | Promise<void>;
}

/** Paid requests. Guarantees one transfer at most, exactly one effect and one receipt, even if processes crash. */
export class Payments {
  private readonly connections: readonly RailConnection[];
  private readonly errorLog: SettlementErrorLog;
  private readonly driver: PaymentDriver;
  private readonly openEscrows: OpenEscrows;
  private readonly escrows: Escrows;
  private readonly earlierPayments: EarlierPayments;
  private readonly acceptance: Acceptance;
  private readonly watchdog: Watchdog;
  private readonly openPayments: OpenPayments;
  private readonly escrowAccounts: EscrowAccounts;

  constructor(private readonly dependencies: PaymentsDependencies) {
    const { clock, coordination, journal, integers, claims, chains, holder } = dependencies;
    const timing = { ...TIMING, ...dependencies.timing };
    const { idleMs } = timing;
    const report = (error: unknown, payment: string) => dependencies.report?.(error, payment);
    const ledger = new Ledger(journal, clock, integers);
    this.errorLog = new SettlementErrorLog(report);
    this.connections = chains.map(chain => {
      return { chain, relayer: new Relayer({ chain, coordination, clock, holder, idleMs }) };
    });
    this.openPayments = new OpenPayments(dependencies);
    this.openEscrows = new OpenEscrows(dependencies);
    const sender = new TransactionSender({ timing, isNonceInUse: (...use) => this.isNonceInUse(...use) });
    this.driver = this.makeDriver(ledger, timing, sender);
    this.escrows = makeEscrows({ ...dependencies, timing, sender, report }, this.connections, this.openEscrows);
    const responder = new PaymentResponder(dependencies, ledger, this.driver, timing.waitMs);
    this.earlierPayments = new EarlierPayments(ledger, claims, responder);
    this.escrowAccounts = new EscrowAccounts(chains, this.openEscrows, dependencies.vault);
    const { escrowAccounts } = this;
    this.acceptance = new Acceptance({ ...dependencies, escrowAccounts }, ledger, responder, this.earlierPayments);
    const assignment = new PaymentAssignment(coordination, clock, holder);
    const { driver, openPayments: open } = this;
    const watched = firstChainOfEachRail(chains);
    const finality = new FinalityWatcher({ chains: watched, payments: open, ledger, driver, clock, timing });
    const { settlement: escrows } = this.escrows;
    this.watchdog = new Watchdog({ open, assignment, driver, finality, escrows, timing, report });
  }

  /**
   * Returns the response of an earlier payment for this request, or else carries out the presented one. `purchase`
   * applies the endpoint's rules; it returns a response if there is nothing to pay.
   *
   * Errors: 402 with an offer; 409 `settlement_pending`, `settlement_unknown`, `payment_used`, or the code of a taken
   * thing; 503 `payments_unavailable`, after which nothing was written.
   */
  async buy(request: PaidRequest, purchase: () => Promise<Purchase | CommandResult>): Promise<CommandResult> {
    const earlier = await this.earlierPayments.find(request, request.context.asOf);
    if (earlier && 'body' in earlier) return earlier;
    return this.acceptance.buy(request, purchase, earlier);
  }

  isPaid(requestKey: RequestKey): Promise<boolean> {
    return this.earlierPayments.isPaid(requestKey);
  }

  async offer(price: Price, unsigned?: string): Promise<Refusal> {
    return paymentRequired(await this.escrowAccounts.assign(price, null), this.dependencies.offers, unsigned);
  }

  listOpen(): Promise<readonly OpenPayment[]> {
    return this.openPayments.all();
  }

  countUnclear(): number {
    return this.errorLog.unclearCount;
  }

  async listNotFinal(): Promise<readonly SettledPayment[]> {
    await this.openPayments.all();
    return this.openPayments.notFinal();
  }

  reconcile(): Promise<void> {
    return this.watchdog.runPass();
  }

  start(): void {
    this.driver.start();
    this.escrows.driver.start();
    this.watchdog.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.driver.stop(), this.escrows.driver.stop(), this.watchdog.stop()]);
    await Promise.allSettled(this.connections.map(({ relayer }) => relayer.release()));
  }

  /** Open escrows, also those without a decision. */
  async listOpenEscrows(): Promise<readonly OpenEscrow[]> {
    await this.openEscrows.refresh();
    return this.openEscrows.listOpen();
  }

  private async isNonceInUse(key: string, relayer: string, nonce: number): Promise<boolean> {
    if (await this.openPayments.isNonceInUse(key, relayer, nonce)) return true;
    await this.openEscrows.refresh();
    return this.openEscrows.isNonceInUse(key, relayer, nonce);
  }

  private makeDriver(ledger: Ledger, timing: Timing, sender: TransactionSender): PaymentDriver {
    const { dependencies, connections, errorLog } = this;
    const machine = new SettlementExecutor({ ...dependencies, ledger, timing, sender, errorLog, connections });
    const onEnded = (payment: string) => connections.forEach(({ relayer }) => relayer.forgetPayment(payment));
    return new SettlementDriver({ sleep: pause, ...dependencies, machine, timing, errorLog, onEnded });
  }
}
