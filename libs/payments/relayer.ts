import type { Coordination } from '#libs/platform/coordination/port.js';
import { RevisionConflict } from '#libs/event-log/port.js';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import type { Chain, SignedTransaction } from './chain.port.js';

/** How long a process may go without renewing before another takes the account over. */
export const LEASE_MS = 15 * SECOND_MS;
/** How long a busy process that has given the account to another does not ask for it again. */
const REST_MS = SECOND_MS;

export interface RelayerDependencies {
  readonly chain: Chain;
  readonly coordination: Coordination;
  readonly clock: Clock;
  readonly holder: string;
  /** How long the lease is kept when nothing is to be signed. */
  readonly idleMs: number;
}

export interface Signing {
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
  private until = 0;
  private restsUntil = 0;
  /** Whether others were told that this process waits for the account. */
  private wants = false;
  private next: number | null = null;
  private free: number[] = [];
  /**
   * Signed, while it is unknown whether they were written down. The next attempt writes exactly the same transaction.
   */
  private readonly reserved = new Map<string, SignedTransaction>();
  /** Written down, and not taken by the node yet: its count of the account does not include them. */
  private readonly inFlight = new Map<string, number>();
  private cleared: { readonly nonce: number; readonly at: number } | null = null;
  private idle: NodeJS.Timeout | undefined;
  private readonly key: string;
  /** Under it stands a process that the holder is to make room for. */
  private readonly wantedKey: string;

  constructor(private readonly dependencies: RelayerDependencies) {
    const { rail, relayer } = dependencies.chain;
    this.key = `relayer/${rail.network}/${relayer.toLowerCase()}`;
    this.wantedKey = `${this.key}/wanted`;
  }

  /** Signs at the next nonce and writes down. Answers false where another process has the account. */
  submit(signing: Signing): Promise<boolean> {
    return this.alone(async () => {
      if (!(await this.lease())) return false;
      const signed = this.reserved.get(signing.payment) ?? (await this.signNext(signing));
      this.reserved.set(signing.payment, signed);
      await this.writeDown(signing, signed);
      return true;
    });
  }

  /** Signs at a nonce that the caller gives, and writes down. Answers false where another process has the account. */
  resubmit(signing: Signing, relayerNonce: number): Promise<boolean> {
    return this.alone(async () => {
      if (!(await this.lease())) return false;
      await signing.write(await signing.sign(relayerNonce));
      return true;
    });
  }

  /**
   * Replaces what waits at a nonce by nothing, so that what waits behind it can be mined. Once in a while: what was just
   * put there needs a block too.
   */
  clear(relayerNonce: number, againAfterMs: number): Promise<void> {
    return this.alone(async () => {
      const now = this.dependencies.clock.now();
      const again = this.cleared?.nonce === relayerNonce && now - this.cleared.at < againAfterMs;
      if (again || !(await this.lease())) return;
      await this.dependencies.chain.clearNonce(relayerNonce);
      this.cleared = { nonce: relayerNonce, at: now };
    });
  }

  /**
   * The node has the payment's transaction. It was written down then, so a nonce that was reserved for it is used up.
   */
  taken(payment: string, tx: string): void {
    this.inFlight.delete(payment);
    if (this.reserved.get(payment)?.tx === tx) this.reserved.delete(payment);
  }

  /**
   * The node has refused the transaction, or it is unknown whether it has it: the account's count is asked for again.
   */
  failed(payment: string, refused: boolean): void {
    if (refused) this.inFlight.delete(payment);
    this.next = null;
    this.free = [];
  }

  /** Nothing more will be sent for the payment. */
  ended(payment: string): void {
    this.inFlight.delete(payment);
    const signed = this.reserved.get(payment);
    if (signed && this.reserved.delete(payment)) this.giveBack(signed.relayerNonce);
  }

  /** Gives the lease back, so that another process can take the account. */
  async release(): Promise<void> {
    clearTimeout(this.idle);
    const now = this.dependencies.clock.now();
    if (this.until <= now) return;
    this.until = 0;
    await this.dependencies.coordination.compareAndSet(this.key, this.dependencies.holder, null, now, now);
  }

  private async signNext({ sign }: Signing): Promise<SignedTransaction> {
    const nonce = await this.take();
    try {
      return await sign(nonce);
    } catch (error) {
      this.giveBack(nonce);
      throw error;
    }
  }

  private async writeDown({ payment, write }: Signing, signed: SignedTransaction): Promise<void> {
    const written = await write(signed).catch((error: unknown) => this.unlessUnknown(payment, error));
    this.reserved.delete(payment);
    if (written === signed.tx) this.inFlight.set(payment, signed.relayerNonce);
    else this.giveBack(signed.relayerNonce);
  }

  /**
   * After a conflict the transaction was not written. After an outage that is unknown, and the next attempt writes the
   * same.
   */
  private unlessUnknown(payment: string, error: unknown): never {
    const signed = this.reserved.get(payment);
    if (signed && error instanceof RevisionConflict && this.reserved.delete(payment))
      this.giveBack(signed.relayerNonce);
    throw error;
  }

  private async take(): Promise<number> {
    const given = this.free.sort((a, b) => a - b).shift();
    if (given !== undefined) return given;
    this.next ??= Math.max(await this.dependencies.chain.nextRelayerNonce(), ...this.beyondOurs());
    return this.next++;
  }

  private beyondOurs(): number[] {
    const reserved = [...this.reserved.values()].map(({ relayerNonce }) => relayerNonce);
    return [...this.inFlight.values(), ...reserved].map(nonce => nonce + 1);
  }

  private giveBack(nonce: number): void {
    if (this.next === null || nonce >= this.next) return;
    if (nonce === this.next - 1) this.next = nonce;
    else this.free.push(nonce);
  }

  /**
   * Takes or renews the lease of the account. Where another process had it meanwhile, what is known of its nonces is
   * forgotten.
   */
  private async lease(): Promise<boolean> {
    const { coordination, clock, holder } = this.dependencies;
    const now = clock.now();
    if (this.until - now > LEASE_MS / 2) return true;
    if (now < this.restsUntil || (await this.yields(now))) return false;
    const until = now + LEASE_MS;
    const kept = this.until > now && (await coordination.compareAndSet(this.key, holder, holder, until, now));
    if (!kept && !(await this.acquire(until, now))) return false;
    this.until = until;
    return true;
  }

  /** Whether it has given the account to another process, which waits for it while this one is busy all the time. */
  private async yields(now: number): Promise<boolean> {
    if (this.until <= now) return false;
    const wanting = await unlessOut(this.dependencies.coordination.get(this.wantedKey, now));
    if (wanting === undefined || wanting === this.dependencies.holder) return false;
    this.restsUntil = now + REST_MS;
    await this.release();
    return true;
  }

  private async acquire(until: number, now: number): Promise<boolean> {
    const { coordination, holder } = this.dependencies;
    const other = await coordination.putIfAbsent(this.key, holder, until, now);
    if (other !== undefined && other !== holder) {
      await unlessOut(coordination.putIfAbsent(this.wantedKey, holder, until, now));
      this.wants = true;
      return false;
    }
    if (this.wants) await unlessOut(coordination.compareAndSet(this.wantedKey, holder, null, now, now));
    this.wants = false;
    this.next = null;
    this.free = [];
    this.inFlight.clear();
    return other === undefined || coordination.compareAndSet(this.key, holder, holder, until, now);
  }

  private async alone<T>(work: () => Promise<T>): Promise<T> {
    clearTimeout(this.idle);
    this.waiting += 1;
    const mine = this.tail.then(work);
    this.tail = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      this.waiting -= 1;
      if (this.waiting === 0) this.releaseSoon();
    }
  }

  private releaseSoon(): void {
    if (this.until <= this.dependencies.clock.now()) return;
    this.idle = setTimeout(
      () => void this.alone(() => this.release()).catch(() => undefined),
      this.dependencies.idleMs,
    );
    this.idle.unref();
  }
}

/** Turns are a courtesy: an outage of the shared state keeps nobody from paying. */
async function unlessOut<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Unavailable) return undefined;
    throw error;
  }
}
