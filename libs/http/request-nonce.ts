import { MINUTE_MS } from '#libs/kernel/clock.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { nonceUsed } from '#libs/kernel/refusal.js';
import type { Caller } from './authentication/authentication.js';
import type { RequestLock, RequestLocks, Retention } from './request-locks.js';

/** A timestamp may be 5 minutes off in both directions, so the nonce must outlast 10 minutes. */
export const NONCE_RETENTION: Retention = { forMs: 10 * MINUTE_MS, answer: false };

/** Lock name of a nonce, and request key of the request that it signs. */
export const formatRequestNonceKey = (museId: string, nonce: string) => `nonce/${museId}/${nonce}`;

export interface NonceUse {
  readonly caller: Caller;
  readonly requestKey: string;
  /** Whether the request can be paid: then it may be repeated until its payment has ended. */
  readonly isPaidRoute: boolean;
  readonly isPaid: (requestKey: string) => Promise<boolean>;
}

/**
 * Locks the nonce of a signed request, and refuses a used one with `nonce_used`. Later uses, or those of a process that
 * lost the lock, are recognised by the event that the first request wrote (`executeCommand`).
 */
export async function acquireRequestNonce(
  locks: RequestLocks,
  { caller: { id, signed }, requestKey, isPaidRoute, isPaid }: NonceUse,
): Promise<{ readonly lock: RequestLock; readonly key: string } | null> {
  if (!signed) return null;
  const key = formatRequestNonceKey(id, signed.nonce);
  const request = { digest: sha256Hex(signed.message), requestKey, keep: NONCE_RETENTION, conflict: nonceUsed };
  const lock = await locks.acquire(key, { ...request, isUnpaid: async () => !(await isPaid(key)) });
  if (lock.isCompleted && !(isPaidRoute && (await isPaid(key)))) throw nonceUsed();
  return { lock, key };
}
