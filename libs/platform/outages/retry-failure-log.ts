import { OutageTracker } from './outage-tracker.js';
import { Unavailable } from '#libs/kernel/refusal.js';

interface ErrorLogger {
  error(details: object, message: string): void;
}

/**
 * Logs failures of retried work. An unreadable event is logged once until the next success, an outage by its tracker.
 */
export class RetryFailureLog {
  private hasLoggedUnreadable = false;
  private readonly outages: OutageTracker;

  constructor(
    private readonly log: ErrorLogger,
    outages?: OutageTracker,
  ) {
    this.outages = outages ?? OutageTracker.of(log);
  }

  recordFailure(err: unknown, message: string, details: object = {}): void {
    // The process ends, and says so itself.
    if (err instanceof Unavailable && err.code === 'log_went_back') return;
    if (err instanceof Unavailable && err.code === 'unavailable') return this.outages.recordOutage(err, this);
    this.outages.recordSuccess(this);
    const isUnreadable = err instanceof Unavailable;
    if (isUnreadable && this.hasLoggedUnreadable) return;
    this.hasLoggedUnreadable = isUnreadable;
    this.log.error({ err, ...details }, message);
  }

  recordSuccess(): void {
    this.hasLoggedUnreadable = false;
    this.outages.recordSuccess(this);
  }
}
