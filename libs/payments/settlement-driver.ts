import { isOpenPayment } from '#libs/domain/payment.js';
import { RevisionConflict } from '#libs/event-log/event-log.port.js';
import type { Clock } from '#libs/kernel/clock.js';
import { Refusal, Unavailable } from '#libs/kernel/refusal.js';
import type { Ledger, PaymentStream } from './ledger.js';
import { nextStep, UNOBSERVED, type Step } from './payment-machine.js';
import type { SettlementExecutor, SettlementState } from './settlement-executor.js';
import type { Timing } from './timing.js';
import type { SettlementErrorLog } from './settlement-error-log.js';

const STEPS_MAX = 1_000;
const JOINS_MAX = 8;
const POLL_GROWTH = 3;

interface SettlementDriverDependencies {
  readonly ledger: Ledger;
  readonly executor: SettlementExecutor;
  readonly clock: Clock;
  readonly timing: Timing;
  readonly sleep: (delayMs: number) => Promise<void>;
  readonly errorLog: SettlementErrorLog;
  readonly beforeStep?: (step: Step, payment: string) => void | Promise<void>;
  readonly afterStep?: (step: Step, payment: string) => void | Promise<void>;
  readonly onEnded: (payment: string) => void;
}

interface RunningDrive {
  readonly patienceMs: number;
  readonly stream: Promise<PaymentStream>;
}

/** Executes `nextStep` until a payment has ended. Runs one drive per payment and process. */
export class SettlementDriver {
  private readonly running = new Map<string, RunningDrive>();
  private isStopped = false;

  constructor(private readonly dependencies: SettlementDriverDependencies) {}

  /**
   * Drives a payment for at most `patienceMs` and returns its stream. Begins with the known parts of its
   * state, or joins a running drive. Errors: `Unavailable`.
   */
  async drive(payment: string, patienceMs: number, start: Partial<SettlementState> = {}): Promise<PaymentStream> {
    for (let joins = 1; ; joins += 1) {
      const running = this.running.get(payment);
      if (!running) return this.startDrive(payment, patienceMs, start);
      const stream = await running.stream;
      if (!isOpenPayment(stream.state) || running.patienceMs >= patienceMs || joins >= JOINS_MAX) return stream;
    }
  }

  isDriving(payment: string): boolean {
    return this.running.has(payment);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.allSettled([...this.running.values()].map(({ stream }) => stream));
  }

  start(): void {
    this.isStopped = false;
  }

  private startDrive(payment: string, patienceMs: number, start: Partial<SettlementState>): Promise<PaymentStream> {
    const stream = this.run(payment, patienceMs, start).finally(() => this.running.delete(payment));
    this.running.set(payment, { patienceMs, stream });
    return stream;
  }

  private async run(payment: string, patienceMs: number, start: Partial<SettlementState>): Promise<PaymentStream> {
    const { ledger, executor } = this.dependencies;
    const backoff = new Backoff(this.dependencies, patienceMs);
    let state = {
      payment: start.payment ?? (await ledger.load(payment)),
      observation: start.observation ?? UNOBSERVED,
    };
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      const step = nextStep(state.payment.state, state.observation);
      if (step.do === 'done') {
        this.dependencies.onEnded(payment);
        this.dependencies.errorLog.forgetPayment(payment);
        break;
      }
      await this.dependencies.beforeStep?.(step, payment);
      if (step.do === 'wait' && (this.isStopped || !(await backoff.pause()))) break;
      try {
        state = step.do === 'wait' ? await this.reloadState(payment, state) : await executor.execute(step, state);
        this.dependencies.errorLog.recordStatus(payment, state.observation.authorizationStatus);
      } catch (error) {
        if (!(await this.canRetry(error, payment, backoff))) break;
        state = await this.reloadState(payment, state);
      }
      await this.dependencies.afterStep?.(step, payment);
    }
    return state.payment;
  }

  private async reloadState(payment: string, { observation }: SettlementState): Promise<SettlementState> {
    return {
      payment: await this.dependencies.ledger.load(payment),
      observation: { ...observation, authorizationStatus: null },
    };
  }

  private async canRetry(error: unknown, payment: string, backoff: Backoff): Promise<boolean> {
    if (error instanceof RevisionConflict) return true;
    if (!(error instanceof Unavailable || error instanceof Refusal))
      this.dependencies.errorLog.recordFailure(payment, error);
    return !this.isStopped && backoff.pause();
  }
}

class Backoff {
  private readonly startedAt: number;
  private delayMs: number;
  private sleptMs = 0;

  constructor(
    private readonly dependencies: Pick<SettlementDriverDependencies, 'clock' | 'timing' | 'sleep'>,
    private readonly patienceMs: number,
  ) {
    this.startedAt = dependencies.clock.now();
    this.delayMs = dependencies.timing.pollMs;
  }

  /** Returns false if the patience is used up. Counts pauses too, because a test's clock may not move. */
  async pause(): Promise<boolean> {
    const { clock, timing, sleep } = this.dependencies;
    const delayMs = this.delayMs;
    if (this.sleptMs + delayMs > this.patienceMs || clock.now() - this.startedAt >= this.patienceMs) return false;
    await sleep(delayMs);
    this.sleptMs += delayMs;
    this.delayMs = Math.min(delayMs * POLL_GROWTH, timing.pollMsMax);
    return true;
  }
}
