import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RawAgent } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const pendingOf = async (agent: RawAgent) => {
  await world.settled();
  return (await agent.post('inbox', { peek: 'true' })).body['pending_requests'];
};

test('a request for a connection is gone with who has asked for it, and others stay', async () => {
  const [asked, gone, other] = await Promise.all(['Asked', 'Gone', 'Other'].map(name => world.raw(name)));
  for (const each of [gone!, other!]) await each.post('connect', { to: asked!.museId });
  expect(await pendingOf(asked!)).toBe(2);
  expect(await gone!.post('forget', { confirm: gone!.museId })).toMatchObject({ status: 200 });
  expect(await pendingOf(asked!)).toBe(1);
  expect((await asked!.post('connect', { to: other!.museId })).body).toEqual({ ok: true, status: 'connected' });
  expect(await pendingOf(asked!)).toBe(0);
  expect(await world.audit()).toEqual(CLEAN);
});
