import { EventStoreDouble } from '../doubles/eventstoredb/server.js';

export interface RaceStore {
  readonly settings: { readonly [name: string]: string };
  close(): Promise<void>;
}

/** The log of the data folder. */
export const openOwn = async (): Promise<RaceStore> => ({ settings: {}, close: async () => undefined });

/** Time between an append and its delivery on a busy server. */
const DELIVERY_MS = 15;

export async function openDouble(): Promise<RaceStore> {
  const double = await EventStoreDouble.start();
  double.faults.deliveryDelayMs = DELIVERY_MS;
  const settings = { EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: double.url };
  return { settings, close: () => double.kill() };
}
