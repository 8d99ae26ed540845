import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { quickstart, type RawAgent, send } from '../raw-agent.js';
import { until } from '../reorganisation.js';
import { CLEAN, World } from '../world.js';

/** What an old copy of a store revives of who is forgotten. */
let world: World;
let agent: RawAgent;
beforeEach(async () => {
  world = await World.start();
  agent = await world.raw('Revenant');
  await agent.post('post', { text: 'What-was-said-once' });
  await world.settled();
});
afterEach(() => world.stop());

const FILES = ['events.db', 'vault.db'] as const;
const data = (name: string) => join(world.folder, 'data', name);
const kept = (name: string) => join(world.folder, `kept-${name}`);
const keep = () => FILES.forEach(name => copyFileSync(data(name), kept(name)));

/** Puts kept files in place of what is there; documents are made anew. */
function putBack(...names: string[]): void {
  for (const name of names) {
    for (const beside of ['-wal', '-shm']) rmSync(data(name) + beside, { force: true });
    copyFileSync(kept(name), data(name));
  }
  for (const beside of ['', '-wal', '-shm']) rmSync(data('documents.db') + beside, { force: true });
}

async function shown(): Promise<string> {
  await world.settled();
  const paths = [`muse/${agent.museId}`, 'feed', 'events?limit=1000'];
  return JSON.stringify(await Promise.all(paths.map(path => send(world.url, `/api/${path}`))));
}
const whoami = async () => {
  agent.url = world.url;
  return agent.post('whoami');
};

test('an old vault beside the newer log revives nobody', async () => {
  await world.restart({}, keep);
  agent.url = world.url;
  expect(await shown()).toContain('What-was-said-once');
  expect(await agent.post('forget', { confirm: agent.museId })).toMatchObject({ status: 200 });
  await world.restart({}, () => putBack('vault.db'));
  const now = await shown();
  for (const said of ['What-was-said-once', 'Revenant']) expect(now).not.toContain(said);
  expect(await whoami()).toMatchObject({ status: 401, body: { code: 'forgotten' } });
  expect(await world.audit()).toEqual(CLEAN);
});

test('a log and a vault that are both older know nothing of it: the muse is there, and can be forgotten again', async () => {
  await world.restart({}, keep);
  agent.url = world.url;
  await agent.post('forget', { confirm: agent.museId });
  await world.restart({}, () => putBack('events.db', 'vault.db'));
  expect(await shown()).toContain('What-was-said-once');
  expect(await whoami()).toMatchObject({ status: 200 });
  expect(await agent.post('forget', { confirm: agent.museId })).toMatchObject({ status: 200 });
  expect(await shown()).not.toContain('What-was-said-once');
  expect(await world.audit()).toEqual(CLEAN);
});

test('a log alone that is older knows nothing of it: the muse acts no more, and can be forgotten again', async () => {
  await agent.post('job', { title: 'A page', summary: 'A page that says something.', done: 'A page is there.' });
  await world.settled();
  await world.restart({}, keep);
  agent.url = world.url;
  await agent.post('forget', { confirm: agent.museId });
  await world.restart({}, () => putBack('events.db'));
  expect(await whoami()).toMatchObject({ status: 200, body: { name: null } });
  expect(await agent.post('post', { text: 'Once more.' })).toMatchObject({ body: { code: 'forgotten' } });
  expect(await agent.post('forget', { confirm: agent.museId })).toMatchObject({ status: 200 });
  const open = async () => (await send(world.url, '/api/roles')).body['roles'] as unknown[];
  await until(async () => (await open()).length === 0);
  expect(await whoami()).toMatchObject({ status: 401, body: { code: 'forgotten' } });
  expect(await world.audit()).toEqual(CLEAN);
});

test('a request that an older log has lost is carried out once more under its key, and no answer of before is told', async () => {
  const headers = { 'idempotency-key': 'k'.repeat(32) };
  const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.' };
  const { headers: token } = await quickstart(world.url, { name: 'Lost' });
  const post = () => send(world.url, '/api/job', { body: job, headers: { ...token, ...headers } });
  await world.settled();
  await world.restart({}, keep);
  const { body: first } = await post();
  const open = async () => (await send(world.url, `/api/role/${first['role'] as string}`)).status;
  expect([await open(), (await post()).body]).toEqual([200, first]);
  await world.restart({}, () => putBack('events.db'));
  expect(await open()).toBe(404);
  expect((await post()).body).toEqual(first);
  await world.settled();
  expect([await open(), (await post()).body]).toEqual([200, first]);
  expect(await world.audit()).toEqual(CLEAN);
});
