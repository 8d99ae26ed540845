import { createHash } from 'node:crypto';
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

test('the page runs nothing, loads nothing and stands in no frame', async () => {
  const response = await fetch(`${world.url}/docs`);
  const [, style] = /<style>([^]*)<\/style>/.exec(await response.text())!;
  const hash = createHash('sha256').update(style!).digest('base64');
  const policy = response.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`style-src 'sha256-${hash}'`);
  expect(policy).toContain("frame-ancestors 'none'");
});
