import { setTimeout } from 'node:timers/promises';
import { type ClientSession, MongoServerError, type Binary, type MongoClient } from 'mongodb';
import { rootCause, isOutage } from './errors.js';

const TRIES_MAX = 12;
const WAIT_FIRST_MS = 5;
const WAIT_GROWTH = 1.5;
const WAIT_MAX_MS = 200;
const INTERRUPTED = 11_601;
const SESSIONS_MAX = 4;

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

/**
 * Runs the transactions of one store in sessions with known ids. Another process can then end the transactions of a
 * killed one, which would block all others.
 */
export class TransactionPool {
  readonly ids: readonly Binary[];
  private readonly sessions: readonly ClientSession[];
  private readonly free: ClientSession[];
  private readonly waiting: ((session: ClientSession) => void)[] = [];
  private readonly uncertain = new Set<ClientSession>();

  constructor(private readonly client: MongoClient) {
    const startSession = () => client.startSession({ causalConsistency: false });
    this.sessions = Array.from({ length: SESSIONS_MAX }, startSession);
    this.ids = this.sessions.map(idOf);
    this.free = [...this.sessions];
  }

  async run<T>(work: (session: ClientSession) => Promise<T>): Promise<T> {
    await this.endUncertain();
    const session = this.free.pop() ?? (await new Promise<ClientSession>(resolve => this.waiting.push(resolve)));
    try {
      return await runTransaction(session, work);
    } catch (error) {
      this.uncertain.add(session);
      throw error;
    } finally {
      const next = this.waiting.shift();
      if (next) next(session);
      else this.free.push(session);
    }
  }

  async endUncertain(): Promise<void> {
    if (this.uncertain.size === 0) return;
    const sessions = [...this.uncertain];
    this.uncertain.clear();
    try {
      await this.endAll(sessions.map(idOf));
    } catch (error) {
      sessions.forEach(session => this.uncertain.add(session));
      throw error;
    }
  }

  /**
   * Ends transactions of any process; a running process retries. Sessions of another user need a privilege: without
   * it, their transactions time out.
   */
  async endAll(ids: readonly Binary[]): Promise<void> {
    if (ids.length === 0) return;
    try {
      await this.client.db('admin').command({ killSessions: ids.map(id => ({ id })) });
    } catch (error) {
      if (!(error instanceof MongoServerError) || isOutage(error)) throw error;
      warnOnce(error);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.sessions.map(session => session.endSession()));
  }
}

function idOf({ id }: ClientSession): Binary {
  return id!.id;
}

let hasWarned = false;

function warnOnce({ message }: MongoServerError): void {
  if (hasWarned) return;
  hasWarned = true;
  process.emitWarning(
    `MongoDB refuses killSessions (${message}). After a process is killed, its open transaction blocks others until ` +
      'the server ends it after transactionLifetimeLimitSeconds.',
  );
}
