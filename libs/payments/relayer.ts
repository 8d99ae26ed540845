import type { Coordination } from '#libs/platform/coordination/port.js';
import { RevisionConflict } from '#libs/event-log/event-log.port.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import type { Chain, SignedTransaction } from './chain.port.js';

/** How long a process may go without renewing before another takes the account over. */
export const LEASE_MS = 15 * SECOND_MS;
/** How long a busy process that has given the account to another does not ask for it again. */
const YIELD_MS = SECOND_MS;

export interface RelayerDependencies {
  readonly chain: Chain;
  readonly coordination: Coordination;
  readonly clock: Clock;
  readonly holder: string;
  /** How long the lease is kept when nothing is to be signed. */
  readonly idleMs: number;
}

export interface SigningTask {
  readonly payment: string;
  readonly sign: (relayerNonce: number) => Promise<SignedTransaction>;
  /**
   * Writes the transaction down. Answers the hash of the one that stands there, which is another process's where that
   * was first.
   */
  readonly write: (signed: SignedTransaction) => Promise<string>;
}

/**
 * The nonces of one relayer account: one process at a time, one transaction after the other. A nonce is used up once
 * its transaction is written down. Two transactions at one nonce can never pay twice, for the authorization is used
 * once; they only cost time, and the payment that lost signs again.
 */
export class Relayer {
  private tail: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private leasedUntil = 0;
  private yieldedUntil = 0;
  /** Whether others were told that this process waits for the account. */
  private isQueued = false;
  private nextNonce: number | null = null;
  private freeNonces: number[] = [];
  /**
   * Signed, while it is unknown whether they were written down. The next attempt writes exactly the same transaction.
   */
  private readonly reserved = new Map<string, SignedTransaction>();
  /** Written down, and not taken by the node yet: its count of the account does not include them. */
  private readonly inFlight = new Map<string, number>();
  private lastCleared: { readonly nonce: number; readonly at: number } | null = null;
  private idleTimer: NodeJS.Timeout | undefined;
  private readonly key: string;
  /** Under it stands a process that the holder is to make room for. */
  private readonly waiterKey: string;

  constructor(private readonly dependencies: RelayerDependencies) {
    const { rail, relayer } = dependencies.chain;
    this.key = `relayer/${rail.network}/${relayer.toLowerCase()}`;
    this.waiterKey = `${this.key}/wanted`;
  }

  /** Signs at the next nonce and writes down. Answers false where another process has the account. */
  submit(signing: SigningTask): Promise<boolean> {
    return this.runExclusive(async () => {
      if (!(await this.ensureLease())) return false;
      const signed = this.reserved.get(signing.payment) ?? (await this.signNext(signing));
      this.reserved.set(signing.payment, signed);
      await this.recordTransaction(signing, signed);
      return true;
    });
  }

  /** Signs at a nonce that the caller gives, and writes down. Answers false where another process has the account. */
  resubmit(signing: SigningTask, relayerNonce: number): Promise<boolean> {
    return this.runExclusive(async () => {
      if (!(await this.ensureLease())) return false;
      await signing.write(await signing.sign(relayerNonce));
      return true;
    });
  }

  /**
   * Replaces what waits at a nonce by nothing, so that what waits behind it can be mined. Once in a while: what was just
   * put there needs a block too.
   */
  clearNonce(relayerNonce: number, againAfterMs: number): Promise<void> {
    return this.runExclusive(async () => {
      const now = this.dependencies.clock.now();
      const again = this.lastCleared?.nonce === relayerNonce && now - this.lastCleared.at < againAfterMs;
      if (again || !(await this.ensureLease())) return;
      await this.dependencies.chain.clearNonce(relayerNonce);
      this.lastCleared = { nonce: relayerNonce, at: now };
    });
  }

  /**
   * The node has the payment's transaction. It was written down then, so a nonce that was reserved for it is used up.
   */
  markBroadcast(payment: string, tx: string): void {
    this.inFlight.delete(payment);
    if (this.reserved.get(payment)?.tx === tx) this.reserved.delete(payment);
  }

  /**
   * The node has refused the transaction, or it is unknown whether it has it: the account's count is asked for again.
   */
  markFailed(payment: string, refused: boolean): void {
    if (refused) this.inFlight.delete(payment);
    this.nextNonce = null;
    this.freeNonces = [];
  }

  /** Nothing more will be sent for the payment. */
  forgetPayment(payment: string): void {
    this.inFlight.delete(payment);
    const signed = this.reserved.get(payment);
    if (signed && this.reserved.delete(payment)) this.returnNonce(signed.relayerNonce);
  }

  /** Gives the lease back, so that another process can take the account. */
  async release(): Promise<void> {
    clearTimeout(this.idleTimer);
    const now = this.dependencies.clock.now();
    if (this.leasedUntil <= now) return;
    this.leasedUntil = 0;
    await this.dependencies.coordination.compareAndSet(this.key, this.dependencies.holder, null, now, now);
  }

  private async signNext({ sign }: SigningTask): Promise<SignedTransaction> {
    const nonce = await this.takeNonce();
    try {
      return await sign(nonce);
    } catch (error) {
      this.returnNonce(nonce);
      throw error;
    }
  }

  private async recordTransaction({ payment, write }: SigningTask, signed: SignedTransaction): Promise<void> {
    const written = await write(signed).catch((error: unknown) => this.releaseOnConflict(payment, error));
    this.reserved.delete(payment);
    if (written === signed.tx) this.inFlight.set(payment, signed.relayerNonce);
    else this.returnNonce(signed.relayerNonce);
  }

  /**
   * After a conflict the transaction was not written. After an outage that is unknown, and the next attempt writes the
   * same.
   */
  private releaseOnConflict(payment: string, error: unknown): never {
    const signed = this.reserved.get(payment);
    if (signed && error instanceof RevisionConflict && this.reserved.delete(payment))
      this.returnNonce(signed.relayerNonce);
    throw error;
  }

  private async takeNonce(): Promise<number> {
    const given = this.freeNonces.sort((a, b) => a - b).shift();
    if (given !== undefined) return given;
    this.nextNonce ??= Math.max(await this.dependencies.chain.nextRelayerNonce(), ...this.noncesAfterOurs());
    return this.nextNonce++;
  }

  private noncesAfterOurs(): number[] {
    const reserved = [...this.reserved.values()].map(({ relayerNonce }) => relayerNonce);
    return [...this.inFlight.values(), ...reserved].map(nonce => nonce + 1);
  }

  private returnNonce(nonce: number): void {
    if (this.nextNonce === null || nonce >= this.nextNonce) return;
    if (nonce === this.nextNonce - 1) this.nextNonce = nonce;
    else this.freeNonces.push(nonce);
  }

  /**
   * Takes or renews the lease of the account. Where another process had it meanwhile, what is known of its nonces is
   * forgotten.
   */
  private async ensureLease(): Promise<boolean> {
    const { coordination, clock, holder } = this.dependencies;
    const now = clock.now();
    if (this.leasedUntil - now > LEASE_MS / 2) return true;
    if (now < this.yieldedUntil || (await this.yieldLease(now))) return false;
    const until = now + LEASE_MS;
    const kept = this.leasedUntil > now && (await coordination.compareAndSet(this.key, holder, holder, until, now));
    if (!kept && !(await this.acquire(until, now))) return false;
    this.leasedUntil = until;
    return true;
  }

  /** Whether it has given the account to another process, which waits for it while this one is busy all the time. */
  private async yieldLease(now: number): Promise<boolean> {
    if (this.leasedUntil <= now) return false;
    const wanting = await ignoreOutage(this.dependencies.coordination.get(this.waiterKey, now));
    if (wanting === undefined || wanting === this.dependencies.holder) return false;
    this.yieldedUntil = now + YIELD_MS;
    await this.release();
    return true;
  }

  private async acquire(until: number, now: number): Promise<boolean> {
    const { coordination, holder } = this.dependencies;
    const other = await coordination.putIfAbsent(this.key, holder, until, now);
    if (other !== undefined && other !== holder) {
      await ignoreOutage(coordination.putIfAbsent(this.waiterKey, holder, until, now));
      this.isQueued = true;
      return false;
    }
    if (this.isQueued) await ignoreOutage(coordination.compareAndSet(this.waiterKey, holder, null, now, now));
    this.isQueued = false;
    this.nextNonce = null;
    this.freeNonces = [];
    this.inFlight.clear();
    return other === undefined || coordination.compareAndSet(this.key, holder, holder, until, now);
  }

  private async runExclusive<T>(work: () => Promise<T>): Promise<T> {
    clearTimeout(this.idleTimer);
    this.waiting += 1;
    const mine = this.tail.then(work);
    this.tail = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      this.waiting -= 1;
      if (this.waiting === 0) this.scheduleRelease();
    }
  }

  private scheduleRelease(): void {
    if (this.leasedUntil <= this.dependencies.clock.now()) return;
    this.idleTimer = setTimeout(
      () => void this.runExclusive(() => this.release()).catch(() => undefined),
      this.dependencies.idleMs,
    );
    this.idleTimer.unref();
  }
}

/** Turns are a courtesy: an outage of the shared state keeps nobody from paying. */
async function ignoreOutage<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Unavailable) return undefined;
    throw error;
  }
}
