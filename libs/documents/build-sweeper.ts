import { RetryFailureLog } from '#libs/platform/outages/retry-failure-log.js';
import { type Clock, MINUTE_MS } from '#libs/kernel/clock.js';
import type { Projection } from '#libs/kernel/projection.js';
import { REPLACED_BUILD_RETENTION_MS, UNUSED_BUILD_RETENTION_MS } from './build-name.js';
import type { DocumentStore } from './document-store.port.js';

const EVERY_MS = 1 * MINUTE_MS;

/**
 * Drops replaced and unused builds, which may contain data of forgotten muses because nothing folds them any longer.
 * Runs in the background: dropping a large build takes minutes.
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
    // Gives processes that start together time to take their leases.
    this.beganAt = parts.clock.now();
  }

  sweepIfDue(): void {
    const now = this.parts.clock.now();
    if (this.running || Math.abs(now - this.beganAt) < EVERY_MS) return;
    this.beganAt = now;
    this.running = this.run(now)
      .then(
        () => this.failures.recordSuccess(),
        (error: unknown) => this.failures.recordFailure(error, 'could not drop unused builds; retrying'),
      )
      .finally(() => (this.running = null));
  }

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
