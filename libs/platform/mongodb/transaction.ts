import { setTimeout } from 'node:timers/promises';
import { type ClientSession, MongoServerError } from 'mongodb';
import { rootCause } from './errors.js';

const TRIES_MAX = 12;
const WAIT_FIRST_MS = 5;
const WAIT_GROWTH = 1.5;
const WAIT_MAX_MS = 200;
const INTERRUPTED = 11_601;

/** Retries on conflicts. The driver's `withTransaction` would retry for two minutes during an outage. */
export async function runTransaction<T>(
  session: ClientSession,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attemptTransaction(session, work);
    } catch (error) {
      if (tries >= TRIES_MAX || !isTransactionConflict(error)) throw error;
      await setTimeout(Math.random() * Math.min(WAIT_FIRST_MS * WAIT_GROWTH ** tries, WAIT_MAX_MS));
    }
  }
}

async function attemptTransaction<T>(session: ClientSession, work: (session: ClientSession) => Promise<T>): Promise<T> {
  session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } });
  try {
    const result = await work(session);
    await session.commitTransaction();
    return result;
  } catch (error) {
    if (session.inTransaction()) await session.abortTransaction();
    throw error;
  }
}

function isTransactionConflict(failure: unknown): boolean {
  const error = rootCause(failure);
  if (!(error instanceof MongoServerError)) return false;
  return error.hasErrorLabel('TransientTransactionError') || error.code === INTERRUPTED;
}
