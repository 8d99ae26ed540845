import { Outages } from '#libs/platform/outages/outages.js';
import type { Unavailable } from '#libs/kernel/refusal.js';
import type { FromThread } from './projections-beside.js';

/** Outages of a thread, told to the thread that answers requests, so that one outage is logged once. */
export class ForwardedOutages extends Outages {
  private readonly failing = new Set<unknown>();

  constructor(private readonly say: (message: FromThread) => void) {
    super({ error: () => undefined });
  }

  override meet({ what, message, cause }: Unavailable, work: unknown = this): void {
    this.failing.add(work);
    this.say({ kind: 'outage', part: what, reason: cause instanceof Error ? cause.message : message });
  }

  override recover(work: unknown): void {
    if (this.failing.delete(work) && this.failing.size === 0) this.say({ kind: 'recovered' });
  }
}
