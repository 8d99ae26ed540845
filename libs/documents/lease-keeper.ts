import { randomUUID } from 'node:crypto';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { CommitConflict, type DocumentStore, type Lease } from './document-store.port.js';

export interface LeaseTiming {
  readonly leaseMs: number;
  readonly renewMs: number;
}

/** A killed process is replaced within 10 s. */
export const DEFAULT_TIMING: LeaseTiming = { leaseMs: 7 * SECOND_MS, renewMs: 3 * SECOND_MS };
/** Retry interval for leases of other holders: short after a change, then growing. */
const RETRY_FIRST_MS = 25;
const RETRY_MAX_MS = 1 * SECOND_MS;
const BACKOFF_FACTOR = 2;

export class LeaseKeeper {
  /** Kept after a failed renewal, so that `release` can release them. */
  private readonly leases = new Map<string, Lease>();
  private readonly lost = new Set<string>();
  private renewedAt = 0;
  private retryMs = RETRY_FIRST_MS;
  private triedAt = -Infinity;

  constructor(
    private readonly store: DocumentStore,
    private readonly clock: Clock,
    private readonly names: readonly string[],
    readonly holder: string = randomUUID(),
    private readonly timing = DEFAULT_TIMING,
  ) {}

  of(name: string): Lease | undefined {
    return this.leases.get(name);
  }

  get renewInMs(): number {
    return this.isComplete ? this.timing.renewMs : this.retryMs;
  }

  /** Acquires and renews the leases. Returns whether any changed. `isForced` ignores the schedule. */
  async renew(isForced = false): Promise<boolean> {
    const now = this.clock.now();
    if (!isForced && !this.isDue(now)) return false;
    const before = new Map(this.leases);
    const leases = await this.store.leaseAll(this.names, this.holder, this.timing.leaseMs, now);
    this.leases.clear();
    for (const lease of leases) this.leases.set(lease.name, lease);
    this.renewedAt = now;
    this.triedAt = performance.now();
    const changed = this.names.filter(name => before.get(name)?.epoch !== this.leases.get(name)?.epoch);
    for (const name of changed) if (before.has(name)) this.lost.add(name);
    const isChanged = changed.length > 0;
    this.retryMs =
      isChanged || this.isComplete ? RETRY_FIRST_MS : Math.min(this.retryMs * BACKOFF_FACTOR, RETRY_MAX_MS);
    return isChanged;
  }

  /** Renews a lease. Throws `CommitConflict` if another holder has acquired it since its first acquisition. */
  async requireLease(name: string): Promise<Lease> {
    await this.renew();
    const lease = this.leases.get(name);
    if (lease && !this.lost.has(name)) return lease;
    throw new CommitConflict(`The lease ${name} is lost.`);
  }

  async release(): Promise<void> {
    const leases = [...this.leases.values()];
    this.leases.clear();
    if (leases.length > 0) await this.store.release(...leases).catch(() => undefined);
  }

  get isComplete(): boolean {
    return this.leases.size === this.names.length;
  }

  private isDue(now: number): boolean {
    if (Math.abs(now - this.renewedAt) >= this.timing.renewMs) return true;
    return !this.isComplete && performance.now() - this.triedAt >= this.retryMs;
  }
}
