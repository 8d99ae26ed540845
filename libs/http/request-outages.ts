import type { OutageTracker } from '#libs/platform/outages/outage-tracker.js';
import { Unavailable } from '#libs/kernel/refusal.js';

export class RequestOutages {
  constructor(
    private readonly outages: OutageTracker,
    private readonly count: (part: string) => void = () => undefined,
  ) {}

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
