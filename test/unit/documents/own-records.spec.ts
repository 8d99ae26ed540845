import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { formatProjectionVersion } from '#libs/documents/build-name.js';
import { Projector } from '#libs/documents/projector.js';
import { Codec } from '#libs/event-log/codec.js';
import { EventStoreDbEventLog } from '#libs/event-log/eventstoredb.event-log.js';
import { Journal } from '#libs/event-log/journal.js';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import { type Event, LOG_START } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import { ClaimLost } from '#libs/domain/muse.js';
import { EventStoreDouble } from '../../doubles/eventstoredb/server.js';
import { MemoryVault } from '../../doubles/memory-vault.js';
import { asEvents } from '../../given.js';
import { benches, seen, until } from './bench.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

/** More statistics records of EventStoreDB than a single check reads. */
const OWN_RECORDS = 600;
const STREAM = 'muse-agent_poster0000';
const bench = benches();
const say = (claim: string) => journal.append(STREAM, 'any', asEvents([ClaimLost({ claim })], STREAM).map(renamed));
const renamed = (event: Event): Event => ({ ...event, id: randomUUID() });
let double: EventStoreDouble;
let log: EventStoreDbEventLog;
let journal: Journal;

beforeEach(async () => {
  double = await EventStoreDouble.start();
  log = EventStoreDbEventLog.open(double.url);
  journal = new Journal(log, new Codec(new MuseKeys(new MemoryVault()), EVENT_TYPES));
  await say('one');
});
afterEach(async () => {
  await log.close();
  await double.kill();
});

test('a checkpoint at a server record does not rebuild documents at every start', async () => {
  const { store, clock, errors } = bench();
  const projections = [seen('seen') as unknown as Projection];
  const models = { moved: () => undefined, stop: () => undefined, onWait: () => undefined };
  const report = { error: (_details: object, message: string) => void errors.push(message) };
  const start = async (words: number) => {
    const parts = { journal, store, clock, models, log: report, projections };
    const projector = new Projector(parts);
    await projector.start();
    const collection = await store.open(seen('seen'));
    await until(async () => (await collection.get('all'))?.body.seen.length === words);
    await projector.stop();
    return (await store.checkpoints())[0]!.position;
  };
  await start(1);
  await say('two');
  double.memory.writeOwn(OWN_RECORDS);
  const reached = await start(2);
  expect(reached > (await log.head())).toBe(true);
  expect(await start(2)).toBe(reached);
  expect(errors).toEqual([]);
});

test('the log holds a position up to its last server record, and none after it', async () => {
  double.memory.writeOwn(OWN_RECORDS);
  const { next } = await log.readAll(await log.head(), 1);
  expect(next > (await log.head())).toBe(true);
  expect(await log.holds(next)).toBe(true);
  expect(await log.holds(await log.head())).toBe(true);
  expect(await log.holds(String(BigInt(next) + 1n).padStart(next.length, '0'))).toBe(false);
});

test('documents at a position that the log does not have are rebuilt', async () => {
  const { store, clock, errors } = bench();
  const projections = [seen('seen') as unknown as Projection];
  const models = { moved: () => undefined, stop: () => undefined, onWait: () => undefined };
  const report = { error: (_details: object, message: string) => void errors.push(message) };
  for (const claim of ['two', 'three']) await say(claim);
  const { events } = await log.readAll(LOG_START, 1);
  const within = String(BigInt(events[0]!.position) + 1n).padStart(LOG_START.length, '0');
  const lease = (await store.lease(formatProjectionVersion(projections[0]!), 'of another log', 1_000, 0))!;
  const batch = { projection: projections[0]!, documents: [], from: LOG_START, to: within };
  await store.open(projections[0]!);
  await store.commit([batch], lease);
  await store.release(lease);
  const projector = new Projector({ journal, store, clock, models, log: report, projections });
  await projector.start();
  const collection = await store.open(seen('seen'));
  expect((await collection.get('all'))?.body.seen).toEqual(['one', 'two', 'three']);
  expect(errors).toEqual([expect.stringContaining('rebuilding them')]);
  await projector.stop();
});
