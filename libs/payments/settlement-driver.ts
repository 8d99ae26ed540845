import { RevisionConflict } from '#libs/event-log/event-log.port.js';
import type { Clock } from '#libs/kernel/clock.js';
import { Refusal, Unavailable } from '#libs/kernel/refusal.js';
import type { Seen } from './payment-machine.js';
import type { Timing } from './timing.js';
import type { SettlementErrorLog } from './settlement-error-log.js';

const STEPS_MAX = 1_000;
const JOINS_MAX = 8;
const POLL_GROWTH = 3;

interface DrivenState {
  readonly observation: Seen<unknown>;
}

export const withObservation = <S extends DrivenState>(state: S, changes: Partial<S['observation']>): S => ({
  ...state,
  observation: { ...state.observation, ...changes },
});

/** State machine of a payment or of the end of an escrow. `S` is its state, `T` a step. */
export interface DrivenMachine<S extends DrivenState, T> {
  load(id: string, start: Partial<S>): Promise<S>;
  next(state: S): T;
  execute(step: T, state: S): Promise<S>;
  isOpen(state: S): boolean;
}

interface SettlementDriverDependencies<S extends DrivenState, T> {
  readonly machine: DrivenMachine<S, T>;
  readonly clock: Clock;
  readonly timing: Timing;
  readonly sleep: (delayMs: number) => Promise<void>;
  readonly errorLog: SettlementErrorLog;
  readonly beforeStep?: (step: T, payment: string) => void | Promise<void>;
  readonly afterStep?: (step: T, payment: string) => void | Promise<void>;
  readonly onEnded: (payment: string) => void;
}

interface RunningDrive<S> {
  readonly patienceMs: number;
  readonly state: Promise<S>;
}

/** Executes the steps of a machine until it is done. Runs one drive per payment and process. */
export class SettlementDriver<S extends DrivenState, T extends { readonly do: string }> {
  private readonly running = new Map<string, RunningDrive<S>>();
  private isStopped = false;

  constructor(private readonly dependencies: SettlementDriverDependencies<S, T>) {}

  /**
   * Drives a payment for at most `patienceMs` and returns its state. Begins with the known parts of its
   * state, or joins a running drive. Errors: `Unavailable`.
   */
  async drive(payment: string, patienceMs: number, start: Partial<S> = {}): Promise<S> {
    for (let joins = 1; ; joins += 1) {
      const running = this.running.get(payment);
      if (!running) return this.startDrive(payment, patienceMs, start);
      const state = await running.state;
      if (!this.dependencies.machine.isOpen(state) || running.patienceMs >= patienceMs || joins >= JOINS_MAX)
        return state;
    }
  }

  next(state: S): T {
    return this.dependencies.machine.next(state);
  }

  isDriving(payment: string): boolean {
    return this.running.has(payment);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.allSettled([...this.running.values()].map(({ state }) => state));
  }

  start(): void {
    this.isStopped = false;
  }

  private startDrive(payment: string, patienceMs: number, start: Partial<S>): Promise<S> {
    const state = this.run(payment, patienceMs, start).finally(() => this.running.delete(payment));
    this.running.set(payment, { patienceMs, state });
    return state;
  }

  private async run(payment: string, patienceMs: number, start: Partial<S>): Promise<S> {
    const { machine } = this.dependencies;
    const backoff = new Backoff(this.dependencies, patienceMs);
    let state = await machine.load(payment, start);
    for (let steps = 0; steps < STEPS_MAX; steps += 1) {
      const step = machine.next(state);
      if (step.do === 'done') {
        this.dependencies.onEnded(payment);
        this.dependencies.errorLog.forgetPayment(payment);
        break;
      }
      await this.dependencies.beforeStep?.(step, payment);
      if (step.do === 'wait' && (this.isStopped || !(await backoff.pause()))) break;
      try {
        state = step.do === 'wait' ? await this.reload(payment, state) : await machine.execute(step, state);
      } catch (error) {
        if (!(await this.canRetry(error, payment, backoff))) break;
        state = await this.reload(payment, state);
      }
      await this.dependencies.afterStep?.(step, payment);
    }
    return state;
  }

  /** Loads the events again. What was seen on the chain is out of date. */
  private reload(payment: string, { observation }: S): Promise<S> {
    const start: Pick<DrivenState, 'observation'> = { observation: { ...observation, onChain: null } };
    return this.dependencies.machine.load(payment, start as Partial<S>);
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
    private readonly dependencies: Pick<
      SettlementDriverDependencies<DrivenState, unknown>,
      'clock' | 'timing' | 'sleep'
    >,
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
