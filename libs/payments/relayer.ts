import type { Coordination } from '#libs/platform/coordination/port.js';
import { RevisionConflict } from '#libs/event-log/event-log.port.js';
import { withOutageFallback } from '#libs/event-log/outage-fallback.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import type { Chain, SignedTransaction } from './chain.port.js';

export const LEASE_MS = 15 * SECOND_MS;
const YIELD_MS = SECOND_MS;

interface RelayerDependencies {
  readonly chain: Chain;
  readonly coordination: Coordination;
  readonly clock: Clock;
  readonly holder: string;
  readonly idleMs: number;
}

interface SigningTask {
  readonly payment: string;
  readonly sign: (relayerNonce: number) => Promise<SignedTransaction>;
  /** Records the transaction. Returns the recorded hash, which is another process's if that was first. */
  readonly write: (signed: SignedTransaction) => Promise<string>;
}

/**
 * Assigns the nonces of one relayer account, in one process at a time. A nonce is used once its transaction is
 * recorded. Two transactions at one nonce cannot pay twice; the loser signs again.
 */
export class Relayer {
  private tail: Promise<unknown> = Promise.resolve();
  private waitingCount = 0;
  private leasedUntil = 0;
  private yieldedUntil = 0;
  private isQueued = false;
  private nextNonce: number | null = null;
  private freeNonces: number[] = [];
  /** Signed, but possibly not recorded. The next attempt records the same transaction. */
  private readonly reserved = new Map<string, SignedTransaction>();
  /** Recorded, but not yet in the node's count. */
  private readonly inFlight = new Map<string, number>();
  private lastCleared: { readonly nonce: number; readonly at: number } | null = null;
  private idleTimer: NodeJS.Timeout | undefined;
  private readonly key: string;
  private readonly waiterKey: string;

  constructor(private readonly dependencies: RelayerDependencies) {
    const { rail, relayer } = dependencies.chain;
    this.key = `relayer/${rail.network}/${relayer.toLowerCase()}`;
    this.waiterKey = `${this.key}/wanted`;
  }

  /** Signs at the next nonce and records. Returns false if another process has the account. */
  submit(signing: SigningTask): Promise<boolean> {
    return this.runExclusive(async () => {
      if (!(await this.ensureLease())) return false;
      const signed = this.reserved.get(signing.payment) ?? (await this.signNext(signing));
      this.reserved.set(signing.payment, signed);
      await this.recordTransaction(signing, signed);
      return true;
    });
  }

  /** Takes the lease and reads the nonce while the caller does other work. `submit` repeats what failed here. */
  prepare(): Promise<void> {
    return this.runExclusive(async () => {
      if (await this.ensureLease()) await this.readNextNonce();
    }).catch(() => undefined);
  }

  resubmit(signing: SigningTask, relayerNonce: number): Promise<boolean> {
    return this.runExclusive(async () => {
      if (!(await this.ensureLease())) return false;
      await signing.write(await signing.sign(relayerNonce));
      return true;
    });
  }

  /**
   * Replaces a pending transaction by an empty one, so that later ones can be mined. Waits `againAfterMs` between
   * tries.
   */
  clearNonce(relayerNonce: number, againAfterMs: number): Promise<void> {
    return this.runExclusive(async () => {
      const now = this.dependencies.clock.now();
      const isRepeat = this.lastCleared?.nonce === relayerNonce && now - this.lastCleared.at < againAfterMs;
      if (isRepeat || !(await this.ensureLease())) return;
      await this.dependencies.chain.clearNonce(relayerNonce);
      this.lastCleared = { nonce: relayerNonce, at: now };
    });
  }

  markBroadcast(payment: string, tx: string): void {
    this.inFlight.delete(payment);
    if (this.reserved.get(payment)?.tx === tx) this.reserved.delete(payment);
  }

  markFailed(payment: string, refused: boolean): void {
    if (refused) this.inFlight.delete(payment);
    this.nextNonce = null;
    this.freeNonces = [];
  }

  forgetPayment(payment: string): void {
    this.inFlight.delete(payment);
    const signed = this.reserved.get(payment);
    if (signed && this.reserved.delete(payment)) this.returnNonce(signed.relayerNonce);
  }

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
    const recordedTx = await write(signed).catch((error: unknown) => this.releaseOnConflict(payment, error));
    this.reserved.delete(payment);
    if (recordedTx === signed.tx) this.inFlight.set(payment, signed.relayerNonce);
    else this.returnNonce(signed.relayerNonce);
  }

  /** After an outage the transaction may be recorded, so it stays reserved; after a conflict it is not. */
  private releaseOnConflict(payment: string, error: unknown): never {
    const signed = this.reserved.get(payment);
    if (signed && error instanceof RevisionConflict && this.reserved.delete(payment))
      this.returnNonce(signed.relayerNonce);
    throw error;
  }

  private async takeNonce(): Promise<number> {
    const freeNonce = this.freeNonces.sort((a, b) => a - b).shift();
    if (freeNonce !== undefined) return freeNonce;
    const nonce = await this.readNextNonce();
    this.nextNonce = nonce + 1;
    return nonce;
  }

  private async readNextNonce(): Promise<number> {
    return (this.nextNonce ??= Math.max(await this.dependencies.chain.nextRelayerNonce(), ...this.noncesAfterOurs()));
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

  /** Takes or renews the lease. Forgets its nonces if another process held it in the meantime. */
  private async ensureLease(): Promise<boolean> {
    const { coordination, clock, holder } = this.dependencies;
    const now = clock.now();
    if (this.leasedUntil - now > LEASE_MS / 2) return true;
    if (now < this.yieldedUntil || (await this.yieldLease(now))) return false;
    const until = now + LEASE_MS;
    const isRenewed =
      this.leasedUntil > now && (await coordination.compareAndSet(this.key, holder, holder, until, now));
    if (!isRenewed && !(await this.acquire(until, now))) return false;
    this.leasedUntil = until;
    return true;
  }

  private async yieldLease(now: number): Promise<boolean> {
    if (this.leasedUntil <= now) return false;
    const waiter = await ignoreOutage(() => this.dependencies.coordination.get(this.waiterKey, now));
    if (waiter === undefined || waiter === this.dependencies.holder) return false;
    this.yieldedUntil = now + YIELD_MS;
    await this.release();
    return true;
  }

  private async acquire(until: number, now: number): Promise<boolean> {
    const { coordination, holder } = this.dependencies;
    const currentHolder = await coordination.putIfAbsent(this.key, holder, until, now);
    if (currentHolder !== undefined && currentHolder !== holder) {
      await ignoreOutage(() => coordination.putIfAbsent(this.waiterKey, holder, until, now));
      this.isQueued = true;
      return false;
    }
    if (this.isQueued) await ignoreOutage(() => coordination.compareAndSet(this.waiterKey, holder, null, now, now));
    this.isQueued = false;
    this.nextNonce = null;
    this.freeNonces = [];
    this.inFlight.clear();
    return currentHolder === undefined || coordination.compareAndSet(this.key, holder, holder, until, now);
  }

  private async runExclusive<T>(work: () => Promise<T>): Promise<T> {
    clearTimeout(this.idleTimer);
    this.waitingCount += 1;
    const result = this.tail.then(work);
    this.tail = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      this.waitingCount -= 1;
      if (this.waitingCount === 0) this.scheduleRelease();
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

/** Sharing the account fairly is optional, so an outage of the shared state does not stop payments. */
const ignoreOutage = <T>(work: () => Promise<T>) => withOutageFallback<T | undefined>(work, undefined);
