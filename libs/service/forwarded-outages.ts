import { OutageTracker } from '#libs/platform/outages/outage-tracker.js';
import type { Unavailable } from '#libs/kernel/refusal.js';
import type { ThreadMessage } from './projection-thread-host.js';

/** Reports the outages of a thread to the main thread, so that each outage is logged once. */
export class ForwardedOutages extends OutageTracker {
  private readonly failing = new Set<unknown>();

  constructor(private readonly send: (message: ThreadMessage) => void) {
    super({ error: () => undefined });
  }

  override recordOutage({ component, message, cause }: Unavailable, work: unknown = this): void {
    this.failing.add(work);
    this.send({ kind: 'outage', part: component, reason: cause instanceof Error ? cause.message : message });
  }

  override recordSuccess(work: unknown): void {
    if (this.failing.delete(work) && this.failing.size === 0) this.send({ kind: 'recovered' });
  }
}
