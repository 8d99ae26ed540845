import type { AgentClient } from './client.js';
import { ApiError } from './errors.js';
import { isRepeatable } from './retry.js';

const UNAUTHORIZED = 401;
const SERVER_ERROR = 500;
/** What is said to a signature whose key is not the identity's. */
const WRONG_KEY_CODES: ReadonlySet<string> = new Set(['signature_mismatch', 'no_key']);

/**
 * Nobody can say whether a new key was bound. If it was, the old one has ended, and only `next` acts from then on: its
 * `seed` is to be kept. `cause` says why the old one got no answer.
 */
export class KeyInDoubt extends Error {
  readonly code = 'key_in_doubt';
  /** Where nothing that shows an error shows the seed. */
  readonly #next: AgentClient;

  constructor(next: AgentClient, cause: Error) {
    super(`Nobody can say whether the new key was bound. Keep the seed of \`next\`. ${cause.message}`, { cause });
    this.name = 'KeyInDoubt';
    this.#next = next;
  }

  /** The client of the new key. */
  get next(): AgentClient {
    return this.#next;
  }
}

/**
 * Binds the key of `next`. Where no answer says so, the key is asked itself: once it is bound, the one that it has
 * replaced is answered 401. Throws `ApiError` where the service has refused it, else `KeyInDoubt`.
 */
export async function bindKey(bind: () => Promise<unknown>, next: AgentClient): Promise<void> {
  try {
    await bind();
  } catch (error) {
    if (isRefusal(error)) throw error;
    const told = await next.whoami().catch((failure: unknown) => failure);
    if (!(told instanceof Error)) return;
    throw isUnauthorized(error) && isWrongKey(told) ? error : new KeyInDoubt(next, error as Error);
  }
}

/** Whether the request was not carried out, and its repetition would not be either. */
const isRefusal = (error: unknown) =>
  error instanceof ApiError && error.status < SERVER_ERROR && !isUnauthorized(error) && !isRepeatable(error);

const isUnauthorized = (error: unknown) => error instanceof ApiError && error.status === UNAUTHORIZED;
const isWrongKey = (error: Error) => error instanceof ApiError && WRONG_KEY_CODES.has(error.code);
