import type { Coordination } from '#libs/platform/coordination/port.js';
import type { CommandResult } from '#libs/kernel/command-result.js';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { Position } from '#libs/kernel/event.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { seal, unseal } from '#libs/platform/signing/seal.js';

/** How long a request is believed to run. After that, a repetition of the same message may carry it out. */
export const LEASE_MS = 15 * SECOND_MS;

/** How long an entry is kept, and whether the answer is kept in it. */
interface Retention {
  readonly forMs: number;
  readonly answer: boolean;
}
/** A timestamp may be 5 minutes off in both directions: for as long as one is taken, its nonce is remembered. */
export const NONCE_RETENTION: Retention = { forMs: 10 * MINUTE_MS, answer: false };
export const IDEMPOTENCY_KEY_RETENTION: Retention = { forMs: 24 * HOUR_MS, answer: true };
const RETRY_SECONDS = 1;

/** What a nonce is locked under, and the request key of the request that it signs. */
export const formatRequestNonceKey = (museId: string, nonce: string) => `nonce/${museId}/${nonce}`;

interface LockEntry {
  readonly state: 'running' | 'spent';
  /** The digest of what a repetition must have too: the signed message, or the compared body. */
  readonly digest: string;
  /** Unix ms until which the request is believed to run. */
  readonly lease: number;
  readonly requestKey: string;
  /** Whether its payment was under way when it was answered: that may come to nothing while nobody asks. */
  readonly paying?: boolean;
  /** The saved answer under an idempotency key, sealed: it may hold what nobody but the caller ever reads. */
  readonly answer?: string;
}

/** A nonce or an idempotency key that belongs to one request. */
export interface RequestLock {
  /** The request key of the first request under the same key. */
  readonly requestKey: string;
  /** The saved answer of a request that was carried out. */
  readonly answer?: string;
  /** Whether the request was carried out already. */
  readonly isCompleted: boolean;
  /** The request was carried out. `answer` is called where the answer is kept. */
  complete(answer?: () => string): Promise<void>;
  /** The request was refused: its key is free again. */
  release(): Promise<void>;
  /** It may be done: a repetition of the same message may go on at once, and no other; `paying`: until its payment has ended. */
  suspend(paying: boolean): Promise<void>;
}

/** What a key is locked for. */
export interface LockRequest {
  /** The digest of what a repetition must have too. */
  readonly digest: string;
  readonly requestKey: string;
  readonly keep: Retention;
  readonly conflict: () => Refusal;
  /** Whether nothing was paid, in the end, for the request of another digest whose payment was under way. */
  readonly isUnpaid: (digest: string) => Promise<boolean>;
}

/** The answer that is saved with a lock. What is not in the log any more was not carried out: such a request is, once more. */
export async function loadSavedResult(
  lock: RequestLock | undefined,
  holds: (position: Position) => Promise<boolean>,
): Promise<CommandResult | null> {
  if (lock?.answer === undefined) return null;
  const saved = JSON.parse(lock.answer) as CommandResult;
  return (await holds(saved.position)) ? saved : null;
}

/** The nonces and idempotency keys of requests: each is locked while its request runs, and remembered after it. */
export class RequestLocks {
  constructor(
    private readonly coordination: Coordination,
    private readonly clock: Clock,
    private readonly answerSecret: Uint8Array,
  ) {}

  /**
   * Locks a key for a request. Refuses with `in_progress` while the same request runs elsewhere, and with `conflict`
   * where the key was used for something else; but what nothing was paid for in the end has used no key.
   */
  async acquire(key: string, wanted: LockRequest): Promise<RequestLock> {
    const { digest, requestKey, keep, conflict } = wanted;
    const now = this.clock.now();
    const mine: LockEntry = { state: 'running', digest, lease: now + LEASE_MS, requestKey };
    const text = JSON.stringify(mine);
    const standing = await this.coordination.putIfAbsent(key, text, now + keep.forMs, now);
    if (standing === undefined) return this.lock(key, text, mine, keep);
    const entry = JSON.parse(standing) as LockEntry;
    const isSame = entry.digest === digest;
    if (isSame && entry.state === 'spent') return this.lock(key, standing, entry, keep);
    const refusal = isSame ? createInProgressRefusal : conflict;
    const isOver = now >= entry.lease && (isSame || (await this.isFree(entry, wanted)));
    if (!isOver) throw refusal();
    const next = isSame ? { ...entry, lease: mine.lease } : mine;
    const taken = await this.coordination.compareAndSet(key, standing, JSON.stringify(next), now + keep.forMs, now);
    if (!taken) throw refusal();
    return this.lock(key, JSON.stringify(next), next, keep);
  }

  /** Whether a request of another digest has let go of its key: it was not carried out, and its payment came to nothing. */
  private async isFree({ state, paying, digest }: LockEntry, { isUnpaid }: LockRequest): Promise<boolean> {
    return state === 'running' && paying === true && (await isUnpaid(digest));
  }

  private lock(key: string, standing: string, entry: LockEntry, keep: Retention): RequestLock {
    const set = async (next: LockEntry | null) => {
      const now = this.clock.now();
      await this.coordination.compareAndSet(key, standing, next && JSON.stringify(next), now + keep.forMs, now);
    };
    const spent = entry.state === 'spent';
    const answer = this.opened(key, entry.answer);
    return {
      requestKey: entry.requestKey,
      isCompleted: spent,
      ...(answer !== undefined && { answer }),
      complete: async answer => {
        const sealed = keep.answer && answer && { answer: seal(this.answerSecret, key, answer()) };
        if (!spent) await set({ ...entry, state: 'spent', ...sealed });
      },
      release: async () => {
        if (!spent) await set(null);
      },
      suspend: async paying => {
        if (!spent) await set({ ...entry, lease: 0, paying });
      },
    };
  }

  /** One that another vault has sealed is as good as none: its request is recognised by its event. */
  private opened(key: string, sealed: string | undefined): string | undefined {
    try {
      return sealed && unseal(this.answerSecret, key, sealed);
    } catch {
      return undefined;
    }
  }
}

/**
 * Ends the locks of a request whose outcome stands. An outage here does not change the outcome: a lock that could not
 * be ended is over with its lease, and a repetition is recognised by the request's event in the log.
 */
export async function endLocks(
  locks: readonly RequestLock[],
  end: (lock: RequestLock) => Promise<void>,
  report: (error: unknown) => void,
): Promise<void> {
  const ends = await Promise.allSettled(locks.map(end));
  for (const each of ends) if (each.status === 'rejected') report(each.reason);
}

const createInProgressRefusal = () =>
  new Refusal('in_progress', 'The same request is being carried out right now.', { retryAfter: RETRY_SECONDS });

/**
 * A refusal has changed nothing. After any other error an event may have been written, after `busy` that of an earlier
 * step. Then the lock is kept for a repetition of the same message, which continues under the same request key.
 */
export const mayHaveTakenEffect = (error: unknown) =>
  !(error instanceof Refusal) || error.code === 'busy' || isPaymentPending(error);

/** Whether its payment is under way. */
export const isPaymentPending = (error: unknown) => error instanceof Refusal && error.code.startsWith('settlement_');
