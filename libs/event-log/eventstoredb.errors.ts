import { Unavailable } from '#libs/kernel/refusal.js';
import { AppendTooLarge, RevisionConflict } from './event-log.port.js';

const COMPONENT = 'The event log';

/** No answer came within our own time: the call may have been carried out or not. */
export class CallTimeout extends Error {
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
const REQUEST_ERROR_TYPES = new Set([
  'wrong-expected-version',
  'maximum-append-size-exceeded',
  'stream-not-found',
  'stream-deleted',
  'access-denied',
  'invalid-argument',
  'unsupported',
]);

export const getErrorType = (error: unknown): string | undefined => (error as { type?: string } | null)?.type;
export const isWrongVersion = (error: unknown) => getErrorType(error) === 'wrong-expected-version';
export const isTooLarge = (error: unknown) => getErrorType(error) === 'maximum-append-size-exceeded';
export const isStreamNotFound = (error: unknown) => getErrorType(error) === 'stream-not-found';
/** The server has dropped a live subscription whose consumer could not take an event at once. */
export const isTooSlow = (error: unknown) => getErrorType(error) === 'timeout';

/** What a server says of a read of the whole log from within a record: 23.10, and 24 on. */
const INVALID_POSITION = /ReadAllResult|invalid position/i;
export const isInvalidPosition = (error: unknown) => error instanceof Error && INVALID_POSITION.test(error.message);

/** Whether the call may succeed when it is repeated, and may have been carried out. */
export function isOutage(error: unknown): boolean {
  if (error instanceof Unavailable || error instanceof CallTimeout) return true;
  const isOurs = [RevisionConflict, AppendTooLarge, TypeError, RangeError, SyntaxError].some(
    kind => error instanceof kind,
  );
  return !isOurs && !REQUEST_ERROR_TYPES.has(getErrorType(error) ?? '');
}

/** The error as the port throws it: every outage is `Unavailable`. */
export function toPortError(error: unknown): unknown {
  return isOutage(error) && !(error instanceof Unavailable) ? new Unavailable(COMPONENT, { cause: error }) : error;
}

/** A server that does not do what the adapter needs of it. */
export class UnsupportedServer extends Error {
  readonly type = 'unsupported';
}

export const createClosedLogError = () => new Unavailable(COMPONENT, { cause: new Error('It was closed.') });
export const createFullLogError = () => new Unavailable(COMPONENT, { cause: new Error('Too many appends wait.') });

/** The client has no deadlines that hold: a promise, or `Unanswered` after our own time. */
export async function withTimeout<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new CallTimeout(timeoutMs)), timeoutMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
