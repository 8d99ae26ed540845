import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { houseClient } from '#apps/operator/house.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { writeAddress } from '#libs/setup/address-file.js';
import type { RawAgent } from '../raw-agent.js';
import { operatorBeside, settingsBeside } from './operator-beside.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
const ROLE = {
  slug: 'greeter',
  title: 'Greet a newcomer',
  summary: 'Say hello to a newcomer.',
  done: 'A kind post',
  seats: 3,
};

async function follow(role: object): Promise<void> {
  const file = join(world.folder, 'house.json');
  writeFileSync(file, JSON.stringify([role]));
  await operatorBeside(world, ['roles', file], { CHAIN: 'dev' });
}

async function positionOf(agent: RawAgent): Promise<JsonObject> {
  await world.settle();
  return ((await agent.ok('hires')).body['hires'] as JsonObject[])[0]!;
}

test('a role of the house that changes by its file changes no hire', async () => {
  const [first, second] = await world.raws('First', 'Second');
  writeAddress(settingsBeside(world), world.url);
  const house = await houseClient(settingsBeside(world, { CHAIN: 'dev' }));
  await follow(ROLE);
  for (const agent of [first, second]) await agent.ok('apply', { role: 'greeter', note: 'Gladly.' });
  const { hire } = await house.hire({ role: 'greeter', to: first.museId });
  const { terms, terms_digest } = await positionOf(first);
  expect(terms).toMatchObject({ title: ROLE.title, done: ROLE.done });
  await follow({ ...ROLE, title: 'Greet all newcomers', done: 'A kind post for each', skills: ['french'] });
  expect(await world.read('/api/role/greeter')).toMatchObject({ role: { title: 'Greet all newcomers' } });
  expect(await positionOf(first)).toMatchObject({ terms, terms_digest });
  expect(JSON.stringify(await world.read(`/api/record/hire/${hire}`))).toContain(terms_digest);
  const hiring = { role: 'greeter', to: second.museId };
  await expect(house.hire({ ...hiring, termsDigest: terms_digest as string })).rejects.toMatchObject({
    code: 'terms_changed',
    field: 'terms_digest',
  });
  await house.hire(hiring);
  const later = await positionOf(second);
  expect(later).toMatchObject({ terms: { title: 'Greet all newcomers', skills: ['french'] } });
  expect(later['terms_digest']).not.toBe(terms_digest);
});
