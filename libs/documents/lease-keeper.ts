import { randomUUID } from 'node:crypto';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { CommitConflict, type DocumentStore, type Lease } from './document-store.port.js';

/** A killed process is replaced within 10 s. */
export const LEASE_MS = 7 * SECOND_MS;
const RENEW_MS = 3 * SECOND_MS;
/** Retry interval for leases of other holders: short after a change, then growing. */
const RETRY_FIRST_MS = 25;
const RETRY_MAX_MS = 1 * SECOND_MS;
const BACKOFF_FACTOR = 2;

export class LeaseKeeper {
  /** Kept after a failed renewal, so that `release` can release them. */
  private readonly leases = new Map<string, Lease>();
  private heldAt = 0;
  private retryMs = RETRY_FIRST_MS;
  private triedAt = -Infinity;

  constructor(
    private readonly store: DocumentStore,
    private readonly clock: Clock,
    private readonly names: readonly string[],
    readonly holder: string = randomUUID(),
    private readonly wants: (name: string) => boolean = () => true,
  ) {}

  of(name: string): Lease | undefined {
    return this.leases.get(name);
  }

  get renewInMs(): number {
    return this.isComplete ? RENEW_MS : this.retryMs;
  }

  /**
   * Acquires and renews wanted leases and releases the others. Returns whether any changed. `isForced` ignores the
   * schedule.
   */
  async renew(isForced = false): Promise<boolean> {
    const now = this.clock.now();
    if (!isForced && !this.isDue(now)) return false;
    const before = new Map(this.leases);
    await this.giveBack(name => !this.wants(name));
    const { wanted } = this;
    const leases = wanted.length === 0 ? [] : await this.store.leaseAll(wanted, this.holder, LEASE_MS, now);
    for (const name of wanted) this.leases.delete(name);
    for (const lease of leases) this.leases.set(lease.name, lease);
    this.heldAt = now;
    this.triedAt = performance.now();
    const isChanged = this.names.some(name => before.get(name)?.epoch !== this.leases.get(name)?.epoch);
    this.retryMs =
      isChanged || this.isComplete ? RETRY_FIRST_MS : Math.min(this.retryMs * BACKOFF_FACTOR, RETRY_MAX_MS);
    return isChanged;
  }

  /** Renews a lease. Throws `CommitConflict` if another holder has acquired it. */
  async requireLease(name: string): Promise<Lease> {
    const before = this.leases.get(name);
    await this.renew();
    const lease = this.leases.get(name);
    if (lease && (!before || before.epoch === lease.epoch)) return lease;
    throw new CommitConflict(`The lease ${name} is lost.`);
  }

  async release(): Promise<void> {
    await this.giveBack(() => true);
  }

  private async giveBack(shouldRelease: (name: string) => boolean): Promise<void> {
    const leases = [...this.leases.values()].filter(({ name }) => shouldRelease(name));
    for (const { name } of leases) this.leases.delete(name);
    if (leases.length > 0) await this.store.release(...leases).catch(() => undefined);
  }

  private get wanted(): readonly string[] {
    return this.names.filter(name => this.wants(name));
  }

  private get isComplete(): boolean {
    return this.names.every(name => this.leases.has(name) === this.wants(name));
  }

  private isDue(now: number): boolean {
    if (Math.abs(now - this.heldAt) >= RENEW_MS) return true;
    return !this.isComplete && performance.now() - this.triedAt >= this.retryMs;
  }
}
