import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HOUR_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

const TERMS = { title: 'Translate a page', summary: 'One page, from English to French.', done: 'A page is there.' };

let world: World;
let ada: RawAgent;

beforeAll(async () => {
  world = await World.start();
  ada = await world.raw('Ada');
});
afterAll(() => world.stop());

const slugs = async () => {
  const { body } = await send(world.url, '/api/roles');
  return (body['roles'] as { slug: string }[]).map(({ slug }) => slug);
};
const statusOf = async (role: string) =>
  ((await send(world.url, `/api/role/${role}`)).body['role'] as { status: string }).status;

test('roles that were read before are shown as they stand when the clock has closed the first of them', async () => {
  const inHours = (hours: number) => ({ ...TERMS, expires_at: String(world.now() + hours * HOUR_MS) });
  const soon = textOf(await ada.post('job', inHours(1)), 'role');
  const late = textOf(await ada.post('job', inHours(2)), 'role');
  const both = expect.arrayContaining([soon, late]) as unknown;
  for (const _again of [1, 2]) expect([await slugs(), await statusOf(soon)]).toEqual([both, 'open']);
  await world.pass(HOUR_MS + SECOND_MS);
  expect([await slugs(), await statusOf(soon), await statusOf(late)]).toEqual([
    expect.not.arrayContaining([soon]),
    'closed',
    'open',
  ]);
  expect(await slugs()).toContain(late);
  await world.pass(HOUR_MS);
  expect([await slugs(), await statusOf(late)]).toEqual([expect.not.arrayContaining([late]), 'closed']);
  expect(await world.audit()).toEqual(CLEAN);
});
