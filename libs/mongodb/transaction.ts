import { setTimeout } from 'node:timers/promises';
import { type ClientSession, MongoServerError } from 'mongodb';
import { causeOf } from './failure.js';

/** How often a transaction is tried that others got in the way of. */
const TRIES_MAX = 12;
const WAIT_FIRST_MS = 5;
const WAIT_GROWTH = 1.5;
const WAIT_MAX_MS = 200;
/** What a statement is answered whose session somebody ends at that moment. */
const INTERRUPTED = 11_601;

/**
 * Runs `work` in a transaction, again where another one got in its way. Not the driver's `withTransaction`, which
 * repeats for two minutes while a server is away: whoever is told of an outage reads again where things stand.
 */
export async function transactionIn<T>(
  session: ClientSession,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await once(session, work);
    } catch (error) {
      if (tries >= TRIES_MAX || !wasInTheWay(error)) throw error;
      await setTimeout(Math.random() * Math.min(WAIT_FIRST_MS * WAIT_GROWTH ** tries, WAIT_MAX_MS));
    }
  }
}

async function once<T>(session: ClientSession, work: (session: ClientSession) => Promise<T>): Promise<T> {
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

/** A server that answered so; one that did not answer is an outage. */
function wasInTheWay(failure: unknown): boolean {
  const error = causeOf(failure);
  if (!(error instanceof MongoServerError)) return false;
  return error.hasErrorLabel('TransientTransactionError') || error.code === INTERRUPTED;
}
