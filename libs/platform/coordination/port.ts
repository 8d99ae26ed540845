/** What a counter has come to, and when it ends, unix ms. */
export interface Count {
  readonly sum: number;
  readonly endsAt: number;
}

/**
 * Short-lived state that processes share: running requests, counters, saved answers, leases. Atomic per key, not
 * fsynced: losing it costs at most a refusal too few. Times are unix ms that the caller gives, so that all processes
 * follow one clock; an entry whose time is over is as if it were not there. Every adapter passes
 * `test/contract/coordination.spec.ts`. Outages are `Unavailable`.
 */
export abstract class Coordination {
  abstract get(key: string, now: number): Promise<string | undefined>;
  /** Puts a value where there is none and answers undefined; else answers the value that stands there. */
  abstract putIfAbsent(key: string, value: string, expiresAt: number, now: number): Promise<string | undefined>;
  /** Replaces the value if it is `expected` still; `null` as the new value removes it. Answers whether it did. */
  abstract compareAndSet(
    key: string,
    expected: string,
    value: string | null,
    expiresAt: number,
    now: number,
  ): Promise<boolean>;
  /**
   * Adds to a counter that expires at `expiresAt`, set by the first addition, and answers what it has come to. One that
   * would expire later, because a clock had jumped ahead, expires then.
   */
  abstract add(key: string, amount: number, expiresAt: number, now: number): Promise<Count>;
  /** A counter as it stands. */
  abstract getCount(key: string, now: number): Promise<Count | undefined>;
  /** Removes what has expired, at most `limit` entries; answers how many. */
  abstract sweep(now: number, limit: number): Promise<number>;
  abstract close(): Promise<void>;
}
