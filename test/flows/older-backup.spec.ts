import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import Database from 'libsql';
import type { AgentClient } from '#libs/client/index.js';
import type { Health } from '#libs/features/stats/health-report.js';
import type { Position } from '#libs/kernel/event.js';
import { openNote, readCheckpoint } from '#libs/signing/signed-note.js';
import { CLEAN, World } from '../world.js';

/** Longer than a checkpoint is fresh. */
const LATER_MS = 60_000;

let world: World;
let poster: AgentClient;
beforeAll(async () => {
  world = await World.start();
  [poster] = (await world.agents('poster')) as [AgentClient];
});
afterAll(() => world.stop());

const post = (title: string, by = poster) =>
  by.job({ title, summary: `${title} that says something.`, done: 'It is there.' });
const get = async (path: string) => fetch(`${world.url}${path}`);
const roleStatus = async (role: string) => (await get(`/api/role/${role}`)).status;
const checkpoint = async () => readCheckpoint(openNote(await (await get('/api/events/checkpoint')).text())!.text)!;

/** The event log as a backup of an earlier moment has it; everything else stays. */
function cut(behind: Position): void {
  const database = new Database(join(world.folder, 'data', 'events.db'));
  database.prepare('DELETE FROM events WHERE position > ?').run(Number(behind));
  database.close();
}

test('beside a log that was restored from an older backup, everything is made of that log', async () => {
  const { role: kept } = await post('A page');
  await world.settled();
  const backup = await world.service.stores.log.head();
  const { size } = await checkpoint();
  const { role: lost } = await post('A book');
  await world.settled();
  await world.pass(LATER_MS);
  expect((await checkpoint()).size).toBeGreaterThan(size);
  expect([await roleStatus(kept), await roleStatus(lost)]).toEqual([200, 200]);

  await world.restart({}, () => cut(backup));
  await world.settled();
  expect([await roleStatus(kept), await roleStatus(lost)]).toEqual([200, 404]);
  const health = (await (await get('/api/health')).json()) as Health;
  expect(health.status).toBe('ok');
  expect(new Set(health.projections.map(({ position }) => position))).toEqual(new Set([backup]));
  await world.pass(LATER_MS);
  const { events } = (await (await get('/api/events?limit=1000')).json()) as { events: object[] };
  expect((await checkpoint()).size).toBe(events.length);

  const { role: next } = await post('A letter', await world.agent('next poster'));
  await world.settled();
  expect(await roleStatus(next)).toBe(200);
  expect(await world.audit()).toEqual(CLEAN);
});
