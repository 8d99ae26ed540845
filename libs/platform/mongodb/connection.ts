import {
  type Db,
  MongoClient,
  type MongoClientOptions,
  type ClientSession,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { Connection } from 'mongodb/lib/cmap/connection.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { wrapOutage, isOutage } from './errors.js';
import { runTransaction } from './transaction.js';

const TIMEOUTS = {
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 5_000,
  waitQueueTimeoutMS: 5_000,
  socketTimeoutMS: 30_000,
  maxPoolSize: 50,
};
const HELLO_TIMEOUT_MS = 2_000;
const FIXED = { appName: 'agent-job-network', retryWrites: true, retryReads: true };
export const LAST_CHARACTER = '\u{10ffff}';

interface SharedClient {
  readonly client: Promise<MongoClient>;
  users: number;
}
/** A client has a pool of its own and monitors the servers, so the stores of a process share one per address. */
const clients = new Map<string, SharedClient>();

export class MongoConnection {
  private isOpen = true;
  /** Reads from the primary, because only it has the latest writes. */
  readonly db: Db;

  private constructor(
    readonly client: MongoClient,
    private readonly url: string,
    private readonly shared: SharedClient,
    private readonly component: string,
  ) {
    this.db = client.db(undefined, { readPreference: 'primary' });
  }

  static async open(url: string, component: string): Promise<MongoConnection> {
    const shared = clients.get(url) ?? { client: connect(url), users: 0 };
    clients.set(url, shared);
    shared.users += 1;
    try {
      return new MongoConnection(await wrapOutage(component, () => shared.client), url, shared, component);
    } catch (error) {
      if (clients.get(url) === shared) clients.delete(url);
      throw error;
    }
  }

  /** Throws `Unavailable` after closing too, because the driver would reconnect. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (!this.isOpen) throw new Unavailable(this.component);
    return wrapOutage(this.component, work);
  }

  async close(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.shared.users -= 1;
    if (this.shared.users > 0) return;
    clients.delete(this.url);
    await this.client.close();
  }
}

async function connect(url: string): Promise<MongoClient> {
  const limits = Object.entries(TIMEOUTS).filter(([name]) => !url.includes(`${name}=`));
  const client = clientOf(url, { ...FIXED, ...Object.fromEntries(limits) });
  try {
    await client.connect();
    await requireTransactions(client);
    return client;
  } catch (error) {
    await client.close();
    await requireReplicaSet(url, error);
    throw error;
  }
}

/** Names the invalid option. The driver's own message may quote a secret. */
function clientOf(url: string, options: MongoClientOptions): MongoClient {
  let message = '';
  try {
    return new MongoClient(url, options);
  } catch (error) {
    message = error instanceof Error ? error.message : '';
  }
  const names = [...url.matchAll(/[?&]([a-z][a-z0-9]*)/gi)].map(([, name]) => name!);
  const invalidOption = names.find(name => new RegExp(`\\b${name}\\b`, 'i').test(message));
  const problem =
    invalidOption === undefined
      ? 'the address is invalid. Use mongodb://host:27017/name?replicaSet=rs0.'
      : `the option ${invalidOption} is unknown, or its value is invalid.`;
  throw new Error(`MONGODB_URL: ${problem}`);
}

const { cleanup } = Connection.prototype;

/**
 * Fails writes that wait for a closed connection. Driver 7.9.0 reacts only to `error` while a socket drains, so such
 * operations would wait forever. The error makes the driver retry.
 */
Connection.prototype.cleanup = function (error) {
  const wasOpen = !this.closed;
  cleanup.call(this, error);
  if (wasOpen) this.socket.emit('error', error);
};

/** A plain error, so that a start prints only this sentence. */
const missingReplicaSetError = () =>
  new Error(
    'MONGODB_URL: the server is not a member of a running replica set, which transactions need. One member is ' +
      'enough: start mongod with --replSet rs0, run rs.initiate() in mongosh once, and name the set after the ' +
      "database's name: mongodb://127.0.0.1:27017/name?replicaSet=rs0",
  );

async function requireTransactions(client: MongoClient): Promise<void> {
  const { setName, msg } = await client.db('admin').command({ hello: 1 });
  if (!setName && msg !== 'isdbgrid') throw missingReplicaSetError();
  try {
    await client.withSession(session => runTransaction(session, () => probeRead(client, session)));
  } catch (error) {
    throw error instanceof MongoServerError && !isOutage(error) ? missingReplicaSetError() : error;
  }
}

function probeRead(client: MongoClient, session: ClientSession): Promise<unknown> {
  return client.db().collection('meta.live').findOne({}, { session });
}

/** Asks the server directly: with a wrong replica set in the address the driver finds no server at all. */
async function requireReplicaSet(url: string, error: unknown): Promise<void> {
  if (error instanceof MongoServerSelectionError && (await isStandalone(url))) throw missingReplicaSetError();
}

async function isStandalone(url: string): Promise<boolean> {
  const directUrl = url.replace(/([?&])replicaSet=[^&]*&?/i, '$1');
  if (directUrl === url) return false;
  let client: MongoClient | undefined;
  try {
    client = new MongoClient(directUrl, { directConnection: true, serverSelectionTimeoutMS: HELLO_TIMEOUT_MS });
    return !(await client.db('admin').command({ hello: 1 })).setName;
  } catch {
    return false;
  } finally {
    await client?.close();
  }
}
