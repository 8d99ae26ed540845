import { expect, test } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import { send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();

const status = async () => (await send(world.url, '/api/health')).body['status'];

test('a clock that goes back is named in the log, and health is degraded for an hour', async () => {
  const agent = await world.raw('Ada');
  expect(await status()).toBe('ok');
  await world.advance(-HOUR_MS);
  expect((await agent.post('post', { text: 'Written an hour earlier.' })).status).toBe(200);
  expect((await agent.post('post', { text: 'And another one.' })).status).toBe(200);
  expect(await world.counts('ClockMoved', 'Posted')).toEqual([1, 2]);
  expect(await status()).toBe('degraded');
  await world.advance(HOUR_MS + MINUTE_MS);
  expect(await status()).toBe('ok');
});
