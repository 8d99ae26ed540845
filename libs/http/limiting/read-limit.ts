import { createLruCache } from '#libs/kernel/lru-cache.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { READS, readPoints } from '#libs/platform/limits/general-limits.js';
import {
  rateLimitPolicyHeader,
  rateLimitHeader,
  LimitReached,
  secondsUntilReset,
} from '#libs/platform/limits/limiter.js';
import type { Limit } from '#libs/platform/limits/limit.js';
import type { LimitTable } from '#libs/platform/limits/limit-table.js';
import type { CallerAddresses } from './caller-addresses.js';

const ADDRESSES_MAX = 20_000;

interface Window {
  sum: number;
  endsAt: number;
}

type Headers = { readonly [name: string]: string };

export interface ReadLimitResult {
  readonly headers: Headers;
  readonly refusal?: LimitReached;
  readonly cost?: ReadCost;
}

export class ReadCost {
  constructor(
    private readonly window: Window,
    private events: number,
    private readonly headersOf: (window: Window) => Headers,
  ) {}

  correct(events: number): Headers {
    this.window.sum += readPoints(events) - readPoints(this.events);
    this.events = events;
    return this.headersOf(this.window);
  }

  atLeast(events: number): void {
    if (events > this.events) this.correct(events);
  }
}

/** Counts reads by address within this process: a shared counter would cost more than the read. */
export class ReadLimit {
  private readonly windows = createLruCache<string, Window>(ADDRESSES_MAX);
  private readonly limit: Limit;
  private readonly policy: string;

  constructor(
    table: LimitTable,
    private readonly callers: CallerAddresses,
    private readonly clock: Clock,
  ) {
    this.limit = table.limitFor(READS, false);
    this.policy = rateLimitPolicyHeader([this.limit]);
  }

  count(ip: string, events = 0): ReadLimitResult {
    const { limit } = this;
    const now = this.clock.now();
    const window = this.windowOf(this.callers.of(ip).address, now);
    if (window.sum >= limit.points) {
      const usage = { limit, ...window };
      return { headers: this.headers(window), refusal: new LimitReached(usage, secondsUntilReset(usage, now)) };
    }
    window.sum += readPoints(events);
    return { headers: this.headers(window), ...(events > 0 && { cost: new ReadCost(window, events, this.headersOf) }) };
  }

  private readonly headersOf = (window: Window) => this.headers(window);

  private headers({ sum, endsAt }: Window): Headers {
    const usage = { limit: this.limit, sum, endsAt };
    return { 'ratelimit-policy': this.policy, ratelimit: rateLimitHeader([usage], this.clock.now()) };
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
