export interface Count {
  readonly sum: number;
  readonly endsAt: number;
}

/**
 * Short-lived state of processes: running requests, counters, saved answers, leases. Atomic per key, not fsynced. Times
 * are unix ms of the caller. Outages are `Unavailable`. Contract: `test/contract/coordination.spec.ts`.
 */
export abstract class Coordination {
  abstract get(key: string, now: number): Promise<string | undefined>;
  /** Returns undefined, or the existing value. */
  abstract putIfAbsent(key: string, value: string, expiresAt: number, now: number): Promise<string | undefined>;
  /** `null` removes the entry. Returns whether the value was `expected`. */
  abstract compareAndSet(
    key: string,
    expected: string,
    value: string | null,
    expiresAt: number,
    now: number,
  ): Promise<boolean>;
  /**
   * Returns the new sum. The first addition sets the expiry; later ones may only shorten it, in case a clock had
   * jumped.
   */
  abstract add(key: string, amount: number, expiresAt: number, now: number): Promise<Count>;
  abstract getCount(key: string, now: number): Promise<Count | undefined>;
  abstract sweep(now: number, limit: number): Promise<number>;
  /** Reads every page of an embedded file of at most `bytesMax`. Throws `Unavailable` if it is damaged. */
  check?(bytesMax?: number): void;
  abstract close(): Promise<void>;
}
