import type { Clock } from '#libs/kernel/clock.js';
import { READS, readPoints } from '#libs/platform/limits/general-limits.js';
import { rateLimitPolicyHeader, rateLimitHeader, type LimitReached } from '#libs/platform/limits/limiter.js';
import type { LimitTable } from '#libs/platform/limits/limit-table.js';
import { AddressWindows, type Window } from './address-windows.js';
import type { CallerAddresses } from './caller-addresses.js';

type Headers = { readonly [name: string]: string };

export interface ReadLimitResult {
  readonly headers: Headers;
  readonly refusal?: LimitReached;
  readonly cost?: ReadCost;
}

export class ReadCost {
  constructor(
    private readonly window: Window,
    private points: number,
    private readonly headersOf: (window: Window) => Headers,
  ) {}

  /** `leftOut` is the number of events that a filter left out. */
  correct(events: number, leftOut = 0): Headers {
    const points = readPoints(events, leftOut);
    this.window.sum += points - this.points;
    this.points = points;
    return this.headersOf(this.window);
  }

  atLeast(events: number, leftOut: number): void {
    if (readPoints(events, leftOut) > this.points) this.correct(events, leftOut);
  }
}

export class ReadLimit {
  private readonly addresses: AddressWindows;
  private readonly policy: string;

  constructor(
    table: LimitTable,
    callers: CallerAddresses,
    private readonly clock: Clock,
  ) {
    const limit = table.limitFor(READS, false);
    this.addresses = new AddressWindows(limit, callers, clock);
    this.policy = rateLimitPolicyHeader([limit]);
  }

  count(ip: string, events = 0): ReadLimitResult {
    const points = readPoints(events);
    const { window, refusal } = this.addresses.take(ip, points);
    const headers = this.headersOf(window);
    if (refusal) return { headers, refusal };
    return { headers, ...(events > 0 && { cost: new ReadCost(window, points, this.headersOf) }) };
  }

  private readonly headersOf = (window: Window) => ({
    'ratelimit-policy': this.policy,
    ratelimit: rateLimitHeader([this.addresses.usageOf(window)], this.clock.now()),
  });
}
