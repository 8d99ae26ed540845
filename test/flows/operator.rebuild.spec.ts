import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { formatFillLease } from '#libs/documents/build-name.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { type Position, LOG_START } from '#libs/kernel/event.js';
import { Muses } from '#libs/features/identity/views/muses.js';
import { operatorBeside } from './operator-beside.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let left: Position;
beforeAll(async () => {
  await world.agent('worker');
  await world.settle();
});
beforeEach(async () => void (left = await leaveUnfinished()));

/** Leaves a rebuild killed after the first event, which belongs to no document of a muse. */
async function leaveUnfinished(...wrong: string[]): Promise<Position> {
  const { documents: store, log } = world.service.stores;
  const { position } = (await log.readAll(LOG_START, 1)).events[0]!;
  const lease = (await store.lease(formatFillLease(Muses), 'killed', MINUTE_MS, Date.now()))!;
  const [build] = await store.builds.begin(Muses);
  const documents = wrong.map(id => ({ id, position, body: { name: id } }));
  const from = await store.builds.reached(build);
  await store.builds.fill(build, { documents, from, to: position, isGentle: true }, () => Promise.resolve(lease));
  await store.release(lease);
  return position;
}

const goneOn = () => new RegExp(`^muses@\\d+: resumed from position ${left}; `);
const note = 'An interrupted rebuild was resumed. Use --start-over to discard it instead.';

test('a rebuild that resumes an unfinished one says so and names the position', async () => {
  const report = await operatorBeside(world, ['rebuild', 'muses', '--dry-run']);
  expect(report).toMatchObject({ ok: true, json: { projections: [{ resumed_from: left, switched: false }] } });
  expect(report.text).toMatch(goneOn());
  expect(report.text.split('\n')).toContain(note);
});

test('a resumed rebuild gives complete documents, and the next one starts fresh', async () => {
  expect((await operatorBeside(world, ['rebuild', 'muses'])).text).toMatch(goneOn());
  const report = await operatorBeside(world, ['rebuild', 'muses']);
  expect(report).toMatchObject({ ok: true, json: { projections: [{ resumed_from: null, switched: true }] } });
  expect(report.text).not.toContain('resumed');
});

test('with --start-over the unfinished build is dropped and rebuilt from the start', async () => {
  await leaveUnfinished('nobody');
  const report = await operatorBeside(world, ['rebuild', 'muses', '--start-over']);
  expect(report).toMatchObject({
    json: { projections: [{ resumed_from: null, switched: true, parity: { only_in_new: 0, differences: [] } }] },
  });
  expect(report.text).not.toContain('resumed');
});

test('without --start-over a dry run lists leftover documents and exits with 1', async () => {
  await leaveUnfinished('nobody');
  const report = await operatorBeside(world, ['rebuild', 'muses', '--dry-run']);
  expect(report).toMatchObject({
    ok: false,
    json: { projections: [{ resumed_from: left, parity: { only_in_new: 1 } }] },
  });
  expect(report.text).toContain('\n    nobody: only_in_new\n');
});
