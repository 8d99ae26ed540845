import type { OutageTracker } from '#libs/platform/outages/outage-tracker.js';
import { Unavailable } from '#libs/kernel/refusal.js';

/** Outages as requests meet them. */
export class RequestOutages {
  /** `count` is called for each request that meets an outage, with the part's name. */
  constructor(
    private readonly outages: OutageTracker,
    private readonly count: (part: string) => void = () => undefined,
  ) {}

  /** Whether an error is an outage, which is logged here. */
  isOutage(error: unknown): boolean {
    if (!(error instanceof Unavailable)) return false;
    this.count(error.component);
    this.outages.recordOutage(error);
    return true;
  }

  stop(): void {
    this.outages.stop();
  }
}
