import { databaseUrl, mongodb } from '../contract/mongodb.server.js';
import type { Environment } from './service-process.js';

/** Stores of a world that survive its restarts. */
export interface Backing {
  readonly environment: Environment;
  remove(): Promise<void>;
}

/** Creates production stores: an EventStoreDB double, and a MongoDB database if `MONGODB_URL` is set. */
export async function productionStores(folder: string, deliveryDelayMs: number): Promise<Backing> {
  const { EventStoreDouble } = await import('../doubles/eventstoredb/server.js');
  const double = await EventStoreDouble.start();
  double.faults.deliveryDelayMs = deliveryDelayMs;
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
