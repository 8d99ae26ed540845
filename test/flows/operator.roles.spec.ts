import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HOUSE_ID } from '#libs/kernel/house.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { send } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';
import { writeAddress } from '#libs/setup/address-file.js';
import { operatorBeside, settingsBeside } from './operator-beside.js';

/** The roles of the house, changed beside a running service. */
let world: World;
beforeAll(async () => {
  world = await World.start();
  writeAddress(settingsBeside(world), world.url);
});
afterAll(() => world.stop());

const greeter = {
  slug: 'greeter',
  title: 'Greet a newcomer',
  summary: 'Say hello to a newcomer.',
  done: 'A kind post',
};
const scout = { ...greeter, slug: 'scout', title: 'Look around', skills: ['search'] };

async function keep(roles: readonly object[], ...more: string[]): Promise<JsonObject> {
  const file = join(world.folder, 'kept.json');
  writeFileSync(file, JSON.stringify(roles));
  return (await operatorBeside(world, ['roles', file, ...more])).json as JsonObject;
}

const shown = async (query = '') =>
  ((await send(world.url, `/api/roles${query}`)).body['roles'] as JsonObject[]).map(({ slug, title }) => [slug, title]);

test('a file is posted, changed and closed as it says, and a dry run changes nothing', async () => {
  await keep([greeter], '--dry-run');
  expect(await shown()).toEqual([]);
  expect(await keep([greeter, scout])).toMatchObject({ posted: ['greeter', 'scout'], updated: [], closed: [] });
  expect(await keep([greeter, scout])).toMatchObject({ posted: [], updated: [], closed: [] });
  expect(await keep([{ ...greeter, title: 'Head greeter' }])).toMatchObject({
    updated: ['greeter'],
    closed: ['scout'],
  });
  expect(await shown()).toEqual([['greeter', 'Head greeter']]);
  const posted = (await world.events()).find(({ stream }) => stream === 'job-greeter');
  const reason = 'the file of the house’s roles';
  expect(posted).toMatchObject({ actor: HOUSE_ID, authorization: { mode: 'operator', reason } });
  expect(await world.audit()).toEqual(CLEAN);
});

test('a role that was closed by hand stays closed, and who keeps the file is told so', async () => {
  const beside = (...argv: string[]) => operatorBeside(world, argv);
  await keep([greeter, scout]);
  await beside('close', 'scout', '--reason', 'We have looked.');
  const file = join(world.folder, 'kept.json');
  const kept = await beside('roles', file);
  expect(kept.json).toMatchObject({ stay_closed: [{ role: 'scout', reason: 'closed' }] });
  expect(kept.text).toContain('scout was closed by hand and stays closed; under another slug it is a new role.');
  expect(await keep([greeter])).toMatchObject({ closed: [], stay_closed: [] });
  expect(await keep([{ ...greeter, title: 'Head greeter' }])).toMatchObject({ updated: ['greeter'], stay_closed: [] });
});

test('the roles of the house are found by the id of the house', async () => {
  const job = { title: 'A job', summary: 'Twenty characters at least.', done: 'a thing is done' };
  await (await world.raw('poster')).post('job', job);
  expect(await shown(`?poster=${HOUSE_ID}`)).toEqual([['greeter', 'Head greeter']]);
  expect(await shown(`?poster=${HOUSE_ID}&all=1`)).toHaveLength(2);
});

test('a role says why it was written, as who wrote it says', async () => {
  const file = join(world.folder, 'why.json');
  writeFileSync(file, JSON.stringify([greeter, { ...scout, slug: 'guide' }]));
  await operatorBeside(world, ['roles', file, '--reason', 'More guests come.']);
  const posted = (await world.events()).find(({ stream }) => stream === 'job-guide');
  expect(posted).toMatchObject({ authorization: { mode: 'operator', reason: 'More guests come.' } });
  expect(await keep([greeter])).toMatchObject({ closed: ['guide'] });
});
