import type { AgentClient } from './client.js';
import { ApiError } from './errors.js';
import { isRepeatable } from './retry.js';

const UNAUTHORIZED = 401;
const SERVER_ERROR = 500;
/** Codes for a signature whose key is not the identity's. */
const WRONG_KEY_CODES: ReadonlySet<string> = new Set(['signature_mismatch', 'no_key']);

/**
 * It is unknown whether the new key was bound. If it was, the old key has ended and only `next` can act: keep its
 * `seed`.
 */
export class KeyInDoubt extends Error {
  readonly code = 'key_in_doubt';
  /** Private, so that a printed error does not show the seed. */
  readonly #next: AgentClient;

  constructor(next: AgentClient, cause: Error) {
    super(`It is unknown whether the new key was bound. Keep the seed of \`next\`. ${cause.message}`, { cause });
    this.name = 'KeyInDoubt';
    this.#next = next;
  }

  /** Client with the new key. */
  get next(): AgentClient {
    return this.#next;
  }
}

/**
 * Binds the key of `next`. Without a clear answer it asks with the new key: once bound, the old key gets a 401. Throws
 * `ApiError` if the service refused, else `KeyInDoubt`.
 */
export async function bindKey(bind: () => Promise<unknown>, next: AgentClient): Promise<void> {
  try {
    await bind();
  } catch (error) {
    if (isRefusal(error)) throw error;
    const outcome = await next.whoami().catch((failure: unknown) => failure);
    if (!(outcome instanceof Error)) return;
    throw isUnauthorized(error) && isWrongKey(outcome) ? error : new KeyInDoubt(next, error as Error);
  }
}

/** Whether the request was refused for certain, so that a repetition would be refused too. */
const isRefusal = (error: unknown) =>
  error instanceof ApiError && error.status < SERVER_ERROR && !isUnauthorized(error) && !isRepeatable(error);

const isUnauthorized = (error: unknown) => error instanceof ApiError && error.status === UNAUTHORIZED;
const isWrongKey = (error: Error) => error instanceof ApiError && WRONG_KEY_CODES.has(error.code);
