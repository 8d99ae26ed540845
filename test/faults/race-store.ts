import { EventStoreDouble } from '../doubles/eventstoredb/server.js';

interface RaceStore {
  readonly settings: { readonly [name: string]: string };
  close(): Promise<void>;
}

/** Event log of the races. A spec file replaces it before it imports them. */
export const raceStore = {
  open: async (): Promise<RaceStore> => ({ settings: {}, close: async () => undefined }),
};

/** Time between an append and its delivery on a busy server. */
const DELIVERY_MS = 15;

export async function openDouble(): Promise<RaceStore> {
  const double = await EventStoreDouble.start();
  double.faults.deliveryDelayMs = DELIVERY_MS;
  const settings = { EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: double.url };
  return { settings, close: () => double.kill() };
}
