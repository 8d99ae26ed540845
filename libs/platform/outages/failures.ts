import { Outages } from './outages.js';
import { Unavailable } from '#libs/kernel/refusal.js';

interface FailureLog {
  error(details: object, message: string): void;
}

/**
 * Logs failures of work that is retried: each time, but an event that this build cannot read once until something has
 * succeeded. An outage is a line of `Outages` alone.
 */
export class Failures {
  private isWaiting = false;
  private readonly outages: Outages;

  constructor(
    private readonly log: FailureLog,
    outages?: Outages,
  ) {
    this.outages = outages ?? Outages.of(log);
  }

  add(err: unknown, message: string, details: object = {}): void {
    if (err instanceof Unavailable && err.code === 'unavailable') return this.outages.meet(err, this);
    this.outages.recover(this);
    const isWaiting = err instanceof Unavailable;
    if (isWaiting && this.isWaiting) return;
    this.isWaiting = isWaiting;
    this.log.error({ err, ...details }, message);
  }

  /** Something has succeeded. */
  end(): void {
    this.isWaiting = false;
    this.outages.recover(this);
  }
}
