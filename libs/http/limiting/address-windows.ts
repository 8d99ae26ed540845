import { createLruCache } from '#libs/kernel/lru-cache.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { LimitReached, type LimitUsage, secondsUntilReset } from '#libs/platform/limits/limiter.js';
import type { Limit } from '#libs/platform/limits/limit.js';
import type { CallerAddresses } from './caller-addresses.js';

const ADDRESSES_MAX = 20_000;

export interface Window {
  sum: number;
  endsAt: number;
}

/** Counts by address within this process: a shared counter would cost more than the request. */
export class AddressWindows {
  private readonly windows = createLruCache<string, Window>(ADDRESSES_MAX);

  constructor(
    readonly limit: Limit,
    private readonly callers: CallerAddresses,
    private readonly clock: Clock,
  ) {}

  /** Takes points of an address that has any left. */
  take(ip: string, points: number): { readonly window: Window; readonly refusal?: LimitReached } {
    const now = this.clock.now();
    const window = this.windowOf(this.callers.of(ip).address, now);
    const usage = this.usageOf(window);
    if (window.sum >= this.limit.points)
      return { window, refusal: new LimitReached(usage, secondsUntilReset(usage, now)) };
    window.sum += points;
    return { window };
  }

  usageOf(window: Window): LimitUsage {
    return { limit: this.limit, ...window };
  }

  private windowOf(address: string, now: number): Window {
    const latest = now + this.limit.seconds * SECOND_MS;
    const current = this.windows.get(address);
    if (current && current.endsAt > now) {
      // A clock that had jumped ahead would otherwise leave a window that lasts too long.
      current.endsAt = Math.min(current.endsAt, latest);
      return current;
    }
    const window = { sum: 0, endsAt: latest };
    this.windows.set(address, window);
    return window;
  }
}
