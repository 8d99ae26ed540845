import { setTimeout } from 'node:timers/promises';
import { type ClientSession, MongoServerError } from 'mongodb';
import { rootCause } from './errors.js';

/** How often a transaction is tried that conflicts with others. */
const TRIES_MAX = 12;
const WAIT_FIRST_MS = 5;
const WAIT_GROWTH = 1.5;
const WAIT_MAX_MS = 200;
/** The code of a statement whose session is ended while it runs. */
const INTERRUPTED = 11_601;

/**
 * Runs `work` in a transaction, and again where it conflicts with another one. The driver's own `withTransaction` is
 * not used, because it repeats for two minutes while a server is away. After an outage the caller reads again instead.
 */
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

/** Whether the server has answered that the transaction conflicts. No answer is an outage. */
function isTransactionConflict(failure: unknown): boolean {
  const error = rootCause(failure);
  if (!(error instanceof MongoServerError)) return false;
  return error.hasErrorLabel('TransientTransactionError') || error.code === INTERRUPTED;
}
