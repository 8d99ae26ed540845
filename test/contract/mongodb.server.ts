import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { MongoClient } from 'mongodb';

const { MONGODB_URL } = process.env;

/** Loads the driver only for the tests that need it. */
export const mongodb = {
  name: 'mongodb',
  available: Boolean(MONGODB_URL),
  howToRun: 'MONGODB_URL=mongodb://... npm run test:mongodb, or test/servers/with-mongodb.sh npm run test:mongodb',
  stores: async () => ({
    ...(await import('#libs/documents/mongodb.document-store.js')),
    ...(await import('#libs/platform/vault/mongodb.vault.js')),
    ...(await import('#libs/platform/coordination/mongodb.coordination.js')),
  }),
  remove: (folder: string) => withClient(databaseUrl(folder), client => client.db().dropDatabase()),
};

/** Names the database after the folder. */
export function databaseUrl(folder: string): string {
  return MONGODB_URL!.replace(/^(\w+(?:\+srv)?:\/\/[^/]+)\/[^?]*/, `$1/${basename(folder).toLowerCase()}`);
}

export const newDatabaseUrl = () => databaseUrl(`test-${randomUUID()}`);

/** Opens a second client on the database of a store. */
export async function withClient(url: string, work: (client: MongoClient) => Promise<unknown>): Promise<void> {
  const client = new (await import('mongodb')).MongoClient(url);
  try {
    await work(client);
  } finally {
    await client.close();
  }
}
