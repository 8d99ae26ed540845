import { databaseUrl, mongodb } from '../contract/mongodb.server.js';
import type { Environment } from './service-process.js';

/** Where a world keeps what it writes, for as long as it is there: over its restarts, and no longer. */
export interface Backing {
  readonly environment: Environment;
  remove(): Promise<void>;
}

/**
 * The stores of production: a double of EventStoreDB, and a database of the server of `MONGODB_URL`; without one the
 * documents stay in the world's folder.
 */
export async function productionStores(folder: string): Promise<Backing> {
  const { EventStoreDouble } = await import('../doubles/eventstoredb/server.js');
  const double = await EventStoreDouble.start();
  const events = { EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: double.url };
  const documents = () => ({ DOCUMENTS: 'mongodb', MONGODB_URL: databaseUrl(folder) });
  return {
    environment: { ...events, ...(mongodb.available && documents()) },
    remove: async () => {
      if (mongodb.available) await mongodb.remove(folder);
      await double.kill();
    },
  };
}
