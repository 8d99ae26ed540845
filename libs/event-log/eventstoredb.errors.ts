import { setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '#libs/kernel/refusal.js';
import { within } from '#libs/platform/bounds/time-limit.js';
import { AppendTooLarge, RevisionConflict } from './event-log.port.js';
import { BrokenStream } from './unreadable-event.js';

const COMPONENT = 'The event log';
const READ_RETRY_MS = 100;
export const ACCESS_DENIED = 'Access denied.';
const DENIED_PROBLEM = 'denies access to the user in EVENTSTORE_URL';

export class CallTimeout extends Error {
  constructor(timeoutMs: number) {
    super(`No response within ${timeoutMs} ms.`);
    this.name = 'CallTimeout';
  }
}

/**
 * Errors caused by the request, identified by `type`: names and messages are not reliable. All others are outages:
 * server down (`code` 14), starting, ending (`code` 13), or no leader.
 */
const REQUEST_ERROR_TYPES = new Set([
  'wrong-expected-version',
  'maximum-append-size-exceeded',
  'stream-not-found',
  'stream-deleted',
  'invalid-argument',
  'unsupported',
]);

const getErrorType = (error: unknown): string | undefined => (error as { type?: string } | null)?.type;
export const isWrongVersion = (error: unknown) => getErrorType(error) === 'wrong-expected-version';
/** Revision of the stream that refused an append; -1 if it has none. */
export function actualRevision(error: unknown): number {
  const { actualVersion } = error as { readonly actualVersion?: bigint | 'no_stream' };
  return typeof actualVersion === 'bigint' ? Number(actualVersion) : -1;
}
/** gRPC status codes PERMISSION_DENIED and UNAUTHENTICATED. */
const DENIED_CODES: readonly unknown[] = [7, 16];
export const isAccessDenied = (error: unknown) =>
  getErrorType(error) === 'access-denied' || DENIED_CODES.includes((error as { code?: unknown } | null)?.code);
export const isTooLarge = (error: unknown) => getErrorType(error) === 'maximum-append-size-exceeded';
export const isStreamNotFound = (error: unknown) => getErrorType(error) === 'stream-not-found';
export const isStreamDeleted = (error: unknown) => getErrorType(error) === 'stream-deleted';
export const isTooSlow = (error: unknown) => getErrorType(error) === 'timeout';

const INVALID_POSITION = /ReadAllResult|invalid position/i;
export const isInvalidPosition = (error: unknown) => error instanceof Error && INVALID_POSITION.test(error.message);

/** Whether the server may have executed the call, and a retry may succeed. */
export function isOutage(error: unknown): boolean {
  if (error instanceof BrokenStream) return false;
  if (error instanceof Unavailable || error instanceof CallTimeout) return true;
  const isCallerError = [RevisionConflict, AppendTooLarge, TypeError, RangeError, SyntaxError].some(
    kind => error instanceof kind,
  );
  return !isCallerError && !REQUEST_ERROR_TYPES.has(getErrorType(error) ?? '');
}

export function toPortError(error: unknown): unknown {
  if (!isOutage(error) || error instanceof Unavailable) return error;
  if (!isAccessDenied(error)) return new Unavailable(COMPONENT, { cause: error });
  // The client's error may have no message.
  return new Unavailable(COMPONENT, { cause: new Error(ACCESS_DENIED, { cause: error }) }, DENIED_PROBLEM);
}

export class UnsupportedServer extends Error {
  readonly type = 'unsupported';
}

export const createClosedLogError = () => new Unavailable(COMPONENT, { cause: new Error('The event log is closed.') });
export const createFullLogError = () => new Unavailable(COMPONENT, { cause: new Error('Too many pending appends.') });

export const withTimeout = <T>(timeoutMs: number, work: Promise<T>): Promise<T> =>
  within(timeoutMs, work, (): never => {
    throw new CallTimeout(timeoutMs);
  });

/** Repeats a read once after a broken connection: the client reconnects. */
export async function retryRead<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isOutage(error) || isAccessDenied(error) || error instanceof CallTimeout) throw toPortError(error);
  }
  await pause(READ_RETRY_MS);
  return read().catch((error: unknown) => {
    throw toPortError(error);
  });
}
