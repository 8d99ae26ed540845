import { randomUUID } from 'node:crypto';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { CommitConflict, type DocumentStore, type Lease } from './document-store.port.js';

/** So that what a killed process has kept goes on elsewhere within 10 s. */
export const LEASE_MS = 7 * SECOND_MS;
/** How old a lease gets before it is taken again; every commit looks whether it is still there. */
const RENEW_MS = 3 * SECOND_MS;
/** How soon a lease is asked for again that somebody else has: soon after it was lost, later on more seldom. */
const ASK_FIRST_MS = 25;
const ASK_MAX_MS = 1 * SECOND_MS;
const ASK_GROWTH = 2;

/** The leases that one process holds or waits for, each on its own: another process may hold others of them. */
export class LeaseKeeper {
  /** Kept through failures, so that stopping gives them back. */
  private readonly leases = new Map<string, Lease>();
  private heldAt = 0;
  private askMs = ASK_FIRST_MS;
  private askedAt = -Infinity;

  constructor(
    private readonly store: DocumentStore,
    private readonly clock: Clock,
    private readonly names: readonly string[],
    readonly holder: string = randomUUID(),
    /** Which of them are of use to this process now: the others it neither takes nor keeps. */
    private readonly wants: (name: string) => boolean = () => true,
  ) {}

  of(name: string): Lease | undefined {
    return this.leases.get(name);
  }

  /** How long it is of use to wait before `keep` is called again. */
  get renewInMs(): number {
    return this.isWhole ? RENEW_MS : this.askMs;
  }

  /**
   * Takes what is free and wanted, keeps what is held, and gives back what is wanted no longer; answers whether anything
   * is held otherwise than before. `isForced`: also where it is not time for that.
   */
  async renew(isForced = false): Promise<boolean> {
    const now = this.clock.now();
    if (!isForced && !this.isDue(now)) return false;
    const before = new Map(this.leases);
    await this.giveBack(name => !this.wants(name));
    const { wanted } = this;
    const taken = wanted.length === 0 ? [] : await this.store.leaseAll(wanted, this.holder, LEASE_MS, now);
    for (const name of wanted) this.leases.delete(name);
    for (const lease of taken) this.leases.set(lease.name, lease);
    this.heldAt = now;
    this.askedAt = performance.now();
    const isOther = this.names.some(name => before.get(name)?.epoch !== this.leases.get(name)?.epoch);
    this.askMs = isOther || this.isWhole ? ASK_FIRST_MS : Math.min(this.askMs * ASK_GROWTH, ASK_MAX_MS);
    return isOther;
  }

  /** The lease of this name, kept. Throws `CommitConflict` where somebody else has it by now. */
  async requireLease(name: string): Promise<Lease> {
    const before = this.leases.get(name);
    await this.renew();
    const lease = this.leases.get(name);
    if (lease && (!before || before.epoch === lease.epoch)) return lease;
    throw new CommitConflict(`The lease ${name} is gone.`);
  }

  async release(): Promise<void> {
    await this.giveBack(() => true);
  }

  /** One that cannot be given back, where the store is away, ends with its time. */
  private async giveBack(isMeant: (name: string) => boolean): Promise<void> {
    const held = [...this.leases.values()].filter(({ name }) => isMeant(name));
    for (const { name } of held) this.leases.delete(name);
    if (held.length > 0) await this.store.release(...held).catch(() => undefined);
  }

  private get wanted(): readonly string[] {
    return this.names.filter(name => this.wants(name));
  }

  /** Whether it holds what it wants, and nothing else. */
  private get isWhole(): boolean {
    return this.names.every(name => this.leases.has(name) === this.wants(name));
  }

  private isDue(now: number): boolean {
    if (Math.abs(now - this.heldAt) >= RENEW_MS) return true;
    return !this.isWhole && performance.now() - this.askedAt >= this.askMs;
  }
}
