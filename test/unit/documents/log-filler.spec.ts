import { expect, test } from '@jest/globals';
import type { Builds } from '#libs/documents/builds.port.js';
import { LogFiller } from '#libs/documents/filling/log-filler.js';
import { selectEvents } from '#libs/documents/fold.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { LOG_START } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import { MIXED_EVENTS, mixedEvents } from '../../vectors/mixed-log.js';
import { findDocumentDifferences, rebuildDocuments } from '../../rebuilt-documents.js';
import { benches } from './bench.js';

const ROUNDS = 2;
const LEASE_MS = 10_000;
const projections: readonly Projection[] = PROJECTIONS;
const bench = benches();

test.each([
  ['all documents', 1_000_000],
  ['few documents', 200],
  ['no documents', -1],
])('a fill that keeps %s in memory reads the log once and equals a fold', async (_, heldMax) => {
  const { log, codec, journal, store, clock } = bench();
  for (let round = 0; round < ROUNDS; round += 1)
    for (const event of mixedEvents(round)) await log.append(event.stream, 'any', [await codec.seal(event)]);
  const page = await journal.readAll(LOG_START, ROUNDS * MIXED_EVENTS);
  const readAll = log.readAll.bind(log);
  let readEvents = 0;
  log.readAll = async (...request) => {
    const page = await readAll(...request);
    readEvents += page.events.length;
    return page;
  };
  for (const each of projections) await store.open(each);
  const lease = (await store.lease('fill', 'here', LEASE_MS, clock.now()))!;
  const newBuilds = await store.builds.begin(...projections);
  const errors: string[] = [];
  const filler = new LogFiller({
    journal,
    // Without a thread, whose program is compiled.
    builds: Object.assign(Object.create(store.builds) as Builds, { fillThread: undefined }),
    isGentle: false,
    heldMax,
    onProjectionError: async (_build, { message }) => void errors.push(message),
  });
  for (const build of newBuilds) await filler.add(build, async () => lease);
  const head = await log.head();
  await filler.fillTo(() => head);
  expect([readEvents, errors]).toEqual([ROUNDS * MIXED_EVENTS, []]);
  for (const { projection, collection } of newBuilds) {
    const rebuilt = rebuildDocuments(projection, selectEvents(projection, page));
    expect(await findDocumentDifferences(projection, collection, rebuilt)).toEqual([]);
  }
});
