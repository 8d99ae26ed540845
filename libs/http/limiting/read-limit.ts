import { bounded } from '#libs/kernel/bounded.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { READS } from '#libs/limits/general.js';
import { policyHeader, standingHeader } from '#libs/limits/headers.js';
import type { Limit } from '#libs/limits/limit.js';
import type { LimitTable } from '#libs/limits/limit-table.js';
import { LimitReached, secondsLeft } from '#libs/limits/limiter.js';
import type { Callers } from './callers.js';

/** How many addresses are counted at most; who has not read for longest is forgotten first. */
const ADDRESSES_MAX = 20_000;

interface Window {
  sum: number;
  endsAt: number;
}

/** What one address has read, counted by this process alone: a read costs little more than the look at it. */
export class ReadLimit {
  private readonly windows = bounded<string, Window>(ADDRESSES_MAX);
  private readonly limit: Limit;
  private readonly policy: string;

  constructor(
    table: LimitTable,
    private readonly callers: Callers,
    private readonly clock: Clock,
  ) {
    this.limit = table.of(READS, false);
    this.policy = policyHeader([this.limit]);
  }

  /** Counts a read. Answers the headers that say how the limit stands, and the refusal of one too many. */
  count(ip: string): { readonly headers: { readonly [name: string]: string }; readonly refusal?: LimitReached } {
    const { limit } = this;
    const now = this.clock.now();
    const window = this.windowOf(this.callers.of(ip).address, now);
    const isTooMany = window.sum >= limit.points;
    if (!isTooMany) window.sum += 1;
    const standing = { limit, sum: window.sum, endsAt: window.endsAt };
    const headers = { 'ratelimit-policy': this.policy, ratelimit: standingHeader([standing], now) };
    return { headers, ...(isTooMany && { refusal: new LimitReached(standing, secondsLeft(standing, now)) }) };
  }

  private windowOf(address: string, now: number): Window {
    const latest = now + this.limit.seconds * SECOND_MS;
    const known = this.windows.get(address);
    if (known && known.endsAt > now) {
      // One that was begun by a clock that had jumped ahead would stand for as long as that had jumped.
      known.endsAt = Math.min(known.endsAt, latest);
      return known;
    }
    const window = { sum: 0, endsAt: latest };
    this.windows.set(address, window);
    return window;
  }
}
