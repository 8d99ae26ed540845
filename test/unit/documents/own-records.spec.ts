import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
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

test('the log holds a position up to its last record, and none within or after one', async () => {
  const [first] = (await log.readAll(LOG_START, 1)).events;
  double.memory.writeOwn(OWN_RECORDS);
  const { next } = await log.readAll(await log.head(), 1);
  expect(next > (await log.head())).toBe(true);
  expect(await log.holds(next)).toBe(true);
  expect(await log.holds(await log.head())).toBe(true);
  for (const position of [first!.position, next])
    expect(await log.holds(String(BigInt(position) + 1n).padStart(LOG_START.length, '0'))).toBe(false);
});
