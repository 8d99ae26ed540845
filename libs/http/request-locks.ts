import { type Clock, HOUR_MS, SECOND_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import type { CommandResult } from '#libs/kernel/decide.js';
import type { Position } from '#libs/kernel/event.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { Coordination } from '#libs/platform/coordination/port.js';
import { seal, unseal } from '#libs/platform/signing/seal.js';

/** After the lease of a running request, a repetition of the same message may take over. */
export const LEASE_MS = 15 * SECOND_MS;

interface Retention {
  readonly forMs: number;
  readonly answer: boolean;
}
export const REPEAT_KEY_RETENTION: Retention = { forMs: 24 * HOUR_MS, answer: true };
const RETRY_SECONDS = 1;

interface LockEntry {
  readonly state: 'running' | 'spent';
  /** sha256 of the signed message or the compared body; a repetition has the same one. */
  readonly digest: string;
  readonly lease: number;
  readonly requestKey: string;
  readonly paying?: boolean;
  /** Sealed response of the idempotency key: it may hold private data. */
  readonly answer?: string;
}

export interface RequestLock {
  readonly requestKey: string;
  readonly answer?: string;
  readonly isCompleted: boolean;
  /** Whether no earlier request used the key. */
  readonly isNew: boolean;
  /** Records success. `answer` is only called if the response is kept. */
  complete(answer?: () => string): Promise<void>;
  release(): Promise<void>;
  /**
   * Ends the lease: only the same message may continue. `paying`: a payment is pending, so another message has to wait
   * for it.
   */
  suspend(paying: boolean): Promise<void>;
}

interface LockRequest {
  readonly digest: string;
  readonly requestKey: string;
  readonly keep: Retention;
  readonly conflict: () => Refusal;
  readonly isUnpaid: (digest: string) => Promise<boolean>;
}

/** Returns null if the log does not contain the saved position (restored backup): the request then runs again. */
export async function loadSavedResult(
  locks: readonly RequestLock[],
  holds: (position: Position) => Promise<boolean>,
): Promise<CommandResult | null> {
  const answer = locks.find(lock => lock.answer !== undefined)?.answer;
  if (answer === undefined) return null;
  const saved = JSON.parse(answer) as CommandResult;
  return (await holds(saved.position)) ? saved : null;
}

export class RequestLocks {
  constructor(
    private readonly coordination: Coordination,
    private readonly clock: Clock,
    private readonly answerSecret: Uint8Array,
  ) {}

  /**
   * Throws `in_progress` while the same request runs, and `conflict` if the key was used for another one. A key whose
   * payment failed is free.
   */
  async acquire(key: string, request: LockRequest): Promise<RequestLock> {
    const { digest, requestKey, keep, conflict } = request;
    const now = this.clock.now();
    const fresh: LockEntry = { state: 'running', digest, lease: now + LEASE_MS, requestKey };
    const text = JSON.stringify(fresh);
    const stored = await this.coordination.putIfAbsent(key, text, now + keep.forMs, now);
    if (stored === undefined) return { ...this.lock(key, text, fresh, keep), isNew: true };
    const entry = JSON.parse(stored) as LockEntry;
    const isSame = entry.digest === digest;
    if (isSame && entry.state === 'spent') return this.lock(key, stored, entry, keep);
    const refusal = isSame ? createInProgressRefusal : conflict;
    const canTakeOver = now >= entry.lease && (isSame || (await this.isFree(entry, request)));
    if (!canTakeOver) throw refusal();
    const next = isSame ? { ...entry, lease: fresh.lease } : fresh;
    const isReplaced = await this.coordination.compareAndSet(key, stored, JSON.stringify(next), now + keep.forMs, now);
    if (!isReplaced) throw refusal();
    return this.lock(key, JSON.stringify(next), next, keep);
  }

  private async isFree({ state, paying, digest }: LockEntry, { isUnpaid }: LockRequest): Promise<boolean> {
    return state === 'running' && paying === true && (await isUnpaid(digest));
  }

  private lock(key: string, stored: string, entry: LockEntry, keep: Retention): RequestLock {
    const set = async (next: LockEntry | null) => {
      const now = this.clock.now();
      await this.coordination.compareAndSet(key, stored, next && JSON.stringify(next), now + keep.forMs, now);
    };
    const isCompleted = entry.state === 'spent';
    const answer = this.unsealAnswer(key, entry.answer);
    return {
      requestKey: entry.requestKey,
      isCompleted,
      isNew: false,
      ...(answer !== undefined && { answer }),
      complete: async answer => {
        const sealed = keep.answer && answer && { answer: seal(this.answerSecret, key, answer()) };
        if (!isCompleted) await set({ ...entry, state: 'spent', ...sealed });
      },
      release: async () => {
        if (!isCompleted) await set(null);
      },
      suspend: async paying => {
        if (!isCompleted) await set({ ...entry, lease: 0, paying });
      },
    };
  }

  /** An answer sealed with another vault's key cannot be opened. The replay then relies on the event id. */
  private unsealAnswer(key: string, sealed: string | undefined): string | undefined {
    try {
      return sealed && unseal(this.answerSecret, key, sealed);
    } catch {
      return undefined;
    }
  }
}

/**
 * Ends the locks without changing the outcome of the request: after an outage the lease expires, and a replay finds the
 * event in the log.
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
  new Refusal('in_progress', 'This request is still running. Send it again in a moment.', {
    retryAfter: RETRY_SECONDS,
  });

/**
 * A refusal has changed nothing. Any other error, and `busy`, may have left an event of an earlier step: the lock then
 * stays for a repetition of the same message.
 */
export const mayHaveTakenEffect = (error: unknown) =>
  !(error instanceof Refusal) || error.code === 'busy' || isPaymentPending(error);

export const isPaymentPending = (error: unknown) => error instanceof Refusal && error.code.startsWith('settlement_');

/** A timestamp may be 5 minutes off in both directions, so a nonce can be presented again for 10 minutes. */
export const NONCE_RETENTION: Retention = { forMs: 10 * MINUTE_MS, answer: false };

/** Lock name of a nonce, and request key of the request that it signs. */
export const formatRequestNonceKey = (museId: string, nonce: string) => `nonce/${museId}/${nonce}`;
