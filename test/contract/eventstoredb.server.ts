import type { EventStoreDbEventLog } from '#libs/event-log/eventstoredb.event-log.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import type { Position } from '#libs/kernel/event.js';
import type { EventStoreDouble } from '../doubles/eventstoredb/server.js';
import { sharedLog } from './shared-log.js';

const { EVENTSTORE_URL } = process.env;

const doubles = new Map<string, EventStoreDouble>();
const beginnings = new Map<string, Promise<Position>>();

/** Uses the server of `EVENTSTORE_URL`, or a new double for each test. */
export const eventStoreDb = {
  name: EVENTSTORE_URL ? 'eventstoredb' : 'eventstoredb, on a double of its server',
  available: true,
  howToRun: 'npm test, or EVENTSTORE_URL=esdb://... npm run test:eventstoredb',
  open: (folder: string): Promise<EventLog> => (EVENTSTORE_URL ? onServer(folder, EVENTSTORE_URL) : onDouble(folder)),
  remove: async (folder: string) => {
    await doubles.get(folder)?.kill();
    doubles.delete(folder);
  },
};

/** Adds a listener, so that streams and appends come over the live subscription. */
export const listeningEventStoreDb = {
  ...eventStoreDb,
  name: `${eventStoreDb.name}, with a listener`,
  open: async (folder: string): Promise<EventLog> => {
    const log = await eventStoreDb.open(folder);
    await new Promise<void>(stands => log.wake(stands));
    return log;
  },
};

async function onDouble(folder: string): Promise<EventLog> {
  const double = doubles.get(folder) ?? (await startDouble());
  doubles.set(folder, double);
  return openLog(double.url);
}

/** Hides what the shared server held before the test. */
async function onServer(folder: string, url: string): Promise<EventLog> {
  const log = await openLog(url);
  const beginning = beginnings.get(folder) ?? log.head();
  beginnings.set(folder, beginning);
  return sharedLog(log, await beginning, folder);
}

export async function openLog(url: string): Promise<EventStoreDbEventLog> {
  return (await import('#libs/event-log/eventstoredb.event-log.js')).EventStoreDbEventLog.open(url);
}

async function startDouble(): Promise<EventStoreDouble> {
  return (await import('../doubles/eventstoredb/server.js')).EventStoreDouble.start();
}
