import { basename } from 'node:path';
import type { MongoClient } from 'mongodb';

const { MONGODB_URL } = process.env;

/** What the contracts need of MongoDB; the driver is loaded by the tests that ask for it alone. */
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

/** The server of `MONGODB_URL` with a database that is named after a folder. */
export function databaseUrl(folder: string): string {
  return MONGODB_URL!.replace(/^(\w+(?:\+srv)?:\/\/[^/]+)\/[^?]*/, `$1/${basename(folder).toLowerCase()}`);
}

/** Looks at a database beside the store that a test is about. */
export async function withClient(url: string, work: (client: MongoClient) => Promise<unknown>): Promise<void> {
  const client = new (await import('mongodb')).MongoClient(url);
  try {
    await work(client);
  } finally {
    await client.close();
  }
}
