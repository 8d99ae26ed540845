import { MongoBulkWriteError, MongoError, MongoServerError, MongoWriteConcernError } from 'mongodb';
import { Unavailable } from '#libs/kernel/refusal.js';

const OUTAGE =
  /^Mongo(Network|ServerSelection|NotConnected|TopologyClosed|ClientClosed|Pool|WaitQueueTimeout|ExpiredSession)/;
const OUTAGE_LABELS = ['RetryableWriteError', 'TransientTransactionError', 'UnknownTransactionCommitResult'];
/** Codes of a server that stops, starts, changes its role, is too slow or has a full disk. */
const OUTAGE_CODES = [6, 7, 50, 64, 89, 91, 112, 134, 189, 262, 9001, 10107, 11600, 11602, 13388, 13435, 13436, 14031];
const DUPLICATE_KEY = 11_000;
/** The driver throws these unwrapped when a write meets a lost connection. */
const SOCKET_CODES = [
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
];

export function isOutage(failure: unknown): boolean {
  const error = rootCause(failure);
  if (!(error instanceof MongoError)) return isSocketError(error);
  if (OUTAGE.test(error.name) || error instanceof MongoWriteConcernError) return true;
  return OUTAGE_LABELS.some(label => error.hasErrorLabel(label)) || OUTAGE_CODES.includes(Number(error.code));
}

/** A bulk write that could not be sent wraps its cause like an answer of the server. */
export function rootCause(error: unknown): unknown {
  const inner: unknown = error instanceof MongoBulkWriteError ? error.errorResponse : undefined;
  return inner instanceof MongoError || isSocketError(inner) ? inner : error;
}

/** Driver 7.9.0 calls `hasErrorLabel` on socket errors. */
function isSocketError(error: unknown): boolean {
  if (error instanceof TypeError) return error.message === 'error.hasErrorLabel is not a function';
  return SOCKET_CODES.includes(String((error as NodeJS.ErrnoException | null | undefined)?.code));
}

export async function wrapOutage<T>(component: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isOutage(error) ? new Unavailable(component, { cause: error }) : error;
  }
}

/** For several writes only the message names the index. */
const DUPLICATE_OF = /duplicate key error collection: \S+ index: (\S+) dup key/;

export function isDuplicateId(error: unknown): error is MongoServerError {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return false;
  const keys: object | undefined = error.keyPattern;
  return keys ? Object.keys(keys).join() === '_id' : DUPLICATE_OF.exec(error.message)?.[1] === '_id_';
}
