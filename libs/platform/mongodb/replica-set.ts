import { type ClientSession, MongoClient, MongoServerError, MongoServerSelectionError } from 'mongodb';
import { isOutage } from './errors.js';
import { runTransaction } from './transaction.js';

const HELLO_TIMEOUT_MS = 2_000;

/** A plain error, so that a start prints only this sentence. */
const missingReplicaSetError = () =>
  new Error(
    'MONGODB_URL: the server is not a member of a running replica set, which transactions need. One member is ' +
      'enough: start mongod with --replSet rs0, run rs.initiate() in mongosh once, and name the set after the ' +
      "database's name: mongodb://127.0.0.1:27017/name?replicaSet=rs0",
  );

export async function requireTransactions(client: MongoClient): Promise<void> {
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
export async function requireReplicaSet(url: string, error: unknown): Promise<void> {
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
