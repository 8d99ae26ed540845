import { Unavailable } from '#libs/kernel/refusal.js';
import { AppendTooLarge, RevisionConflict } from './port.js';

const WHAT = 'The event log';

/** No answer came within our own time: the call may have been carried out or not. */
export class Unanswered extends Error {
  constructor(timeoutMs: number) {
    super(`No answer came within ${timeoutMs} ms.`);
    this.name = 'Unanswered';
  }
}

/**
 * What the client says is wrong with a request. Its errors are told apart by `type` alone: their names are all
 * `Error`, and their messages may be empty. Everything else is an outage: a server that is down (`code` 14 without a
 * type), starts ("Server Is Not Ready" without a code), ends (`code` 13) or does not answer, a cluster without a leader.
 */
const REFUSALS = new Set([
  'wrong-expected-version',
  'maximum-append-size-exceeded',
  'stream-not-found',
  'stream-deleted',
  'access-denied',
  'invalid-argument',
  'unsupported',
]);

export const typeOf = (error: unknown): string | undefined => (error as { type?: string } | null)?.type;
export const isWrongVersion = (error: unknown) => typeOf(error) === 'wrong-expected-version';
export const isTooLarge = (error: unknown) => typeOf(error) === 'maximum-append-size-exceeded';
export const isStreamNotFound = (error: unknown) => typeOf(error) === 'stream-not-found';
/** The server has dropped a live subscription whose consumer could not take an event at once. */
export const isTooSlow = (error: unknown) => typeOf(error) === 'timeout';

/** What a server says of a read of the whole log from within a record: 23.10, and 24 on. */
const NO_PLACE = /ReadAllResult|invalid position/i;
export const isNoPlace = (error: unknown) => error instanceof Error && NO_PLACE.test(error.message);

/** Whether the call may succeed when it is repeated, and may have been carried out. */
export function isOutage(error: unknown): boolean {
  if (error instanceof Unavailable || error instanceof Unanswered) return true;
  const isOurs = [RevisionConflict, AppendTooLarge, TypeError, RangeError, SyntaxError].some(
    kind => error instanceof kind,
  );
  return !isOurs && !REFUSALS.has(typeOf(error) ?? '');
}

/** The error as the port throws it: every outage is `Unavailable`. */
export function asPortError(error: unknown): unknown {
  return isOutage(error) && !(error instanceof Unavailable) ? new Unavailable(WHAT, { cause: error }) : error;
}

/** A server that does not do what the adapter needs of it. */
export class Unsupported extends Error {
  readonly type = 'unsupported';
}

export const closedLog = () => new Unavailable(WHAT, { cause: new Error('It was closed.') });
export const fullLog = () => new Unavailable(WHAT, { cause: new Error('Too many appends wait.') });

/** The client has no deadlines that hold: a promise, or `Unanswered` after our own time. */
export async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unanswered(timeoutMs)), timeoutMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
