import { type Binary, type ClientSession, type MongoClient, MongoServerError } from 'mongodb';
import { isOutage } from './errors.js';
import { runTransaction } from './transaction.js';

/** How many transactions of one store run at once; who comes on top waits for one of them to end. */
const SESSIONS_MAX = 4;

/**
 * The transactions of one store in one process, in sessions whose ids are known before the first transaction. A process
 * that is killed inside a transaction leaves it open on the server, where it blocks everybody, and whoever knows the
 * session can end it.
 */
export class TransactionPool {
  /** What the server calls the sessions. */
  readonly ids: readonly Binary[];
  private readonly sessions: readonly ClientSession[];
  private readonly free: ClientSession[];
  private readonly waiting: ((session: ClientSession) => void)[] = [];
  /** The sessions whose last transaction may still be open, because the server may not know that it was given up. */
  private readonly uncertain = new Set<ClientSession>();

  constructor(private readonly client: MongoClient) {
    const begin = () => client.startSession({ causalConsistency: false });
    this.sessions = Array.from({ length: SESSIONS_MAX }, begin);
    this.ids = this.sessions.map(idOf);
    this.free = [...this.sessions];
  }

  /** Runs `work` in a transaction, and again where it conflicts with another one. */
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

  /** Ends own transactions that have failed and may still be open, because they would block the next ones. */
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
   * Ends the transactions of sessions, also of other processes: a process that is alive begins its transaction again.
   * The server lets a user end its own sessions without a privilege. Where it refuses, they end by their time limit.
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
    `MongoDB refuses killSessions (${message}): what a killed process leaves open is waited for until the server ends it, ` +
      'after transactionLifetimeLimitSeconds.',
  );
}
