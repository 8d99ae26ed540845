import { RetryFailureLog } from '#libs/platform/outages/retry-failure-log.js';
import { type Clock, MINUTE_MS } from '#libs/kernel/clock.js';
import type { Projection } from '#libs/kernel/projection.js';
import { REPLACED_BUILD_RETENTION_MS, UNUSED_BUILD_RETENTION_MS } from './build-name.js';
import type { DocumentStore } from './document-store.port.js';

const EVERY_MS = 1 * MINUTE_MS;

/**
 * Drops what rebuilds have replaced and what upgrades have left behind, which may hold what a muse wrote that is
 * forgotten since: nobody folds it any more. Beside everything else, since a large build is dropped in minutes.
 */
export class BuildSweeper {
  private beganAt: number;
  private running: Promise<void> | null = null;
  private readonly ending = new AbortController();
  private readonly failures: RetryFailureLog;

  constructor(
    private readonly parts: {
      readonly store: Pick<DocumentStore, 'builds'>;
      readonly clock: Clock;
      readonly projections: readonly Projection[];
      readonly log: { error(details: object, message: string): void };
    },
  ) {
    this.failures = new RetryFailureLog(parts.log);
    // Who is started together with this process has taken its leases by the first look.
    this.beganAt = parts.clock.now();
  }

  /** Begins where it is time. */
  sweepIfDue(): void {
    const now = this.parts.clock.now();
    if (this.running || Math.abs(now - this.beganAt) < EVERY_MS) return;
    this.beganAt = now;
    this.running = this.run(now)
      .then(
        () => this.failures.recordSuccess(),
        (error: unknown) => this.failures.recordFailure(error, 'unused builds could not be dropped; it is tried again'),
      )
      .finally(() => (this.running = null));
  }

  /** What is left over is gone on with at the next start. */
  async end(): Promise<void> {
    this.ending.abort();
    await this.running;
  }

  private async run(now: number): Promise<void> {
    const { projections, store } = this.parts;
    await store.builds.retireUnused(projections, now - UNUSED_BUILD_RETENTION_MS, now);
    await store.builds.sweep(now - REPLACED_BUILD_RETENTION_MS, this.ending.signal);
  }
}
