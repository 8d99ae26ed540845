import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { send } from '../raw-agent.js';
import { World } from '../world.js';

let world: World;
beforeAll(async () => void (world = await World.start()));
afterAll(() => world.stop());

test.each(['/api/feed', '/docs', '/api/nothing', '/api/events/checkpoint'])(
  '%s says that its type is meant',
  async path => expect((await send(world.url, path)).headers.get('x-content-type-options')).toBe('nosniff'),
);

test('an answer with a token is kept by no cache', async () => {
  const { status, headers, body } = await send(world.url, '/api/quickstart', { body: { kind: 'editor' } });
  expect([status, headers.get('cache-control'), typeof body['token']]).toEqual([200, 'no-store', 'string']);
});
