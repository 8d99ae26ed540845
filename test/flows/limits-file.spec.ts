import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from '@jest/globals';
import { quickstart, send } from '../raw-agent.js';
import { CLEAN, newFolder, World } from '../world.js';

/** Limits as the operator wants them. */
const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));
let world: World | undefined;
afterEach(async () => {
  await world?.stop();
  world = undefined;
});

function file(content: object): string {
  const path = join(folder, 'limits.json');
  writeFileSync(path, JSON.stringify(content));
  return path;
}

test('a file gives single limits other figures', async () => {
  const limits = { whoami: { points: 2, seconds: 5 }, new_identities: { points: 1, seconds: 60 } };
  world = await World.start({ settings: { RATE_LIMITS: file(limits) } });
  const { headers } = await quickstart(world.url, { kind: 'reader' });
  const refused = await send(world.url, '/api/quickstart', { body: { kind: 'reader' } });
  expect(refused.body).toMatchObject({ code: 'rate_limited', limit: 'new_identities' });
  const whoami = () => send(world!.url, '/api/whoami', { body: {}, headers });
  expect([(await whoami()).status, (await whoami()).status]).toEqual([200, 200]);
  const { status, body, headers: said } = await whoami();
  expect([status, body['limit'], said.get('ratelimit-policy')]).toEqual([
    429,
    'whoami',
    '"requests";q=60;w=60, "whoami";q=2;w=5',
  ]);
  const table = (await send(world.url, '/api/limits')).body['limits'];
  expect(table).toContainEqual({ name: 'whoami', points: 2, seconds: 5, per: 'muse' });
  expect(table).toContainEqual({ name: 'new_identities', points: 1, seconds: 60, per: 'address' });
  expect(await world.audit()).toEqual(CLEAN);
});

test('an address reads so often a minute, from memory or not, and health as often as it likes', async () => {
  const limits = { reads: { points: 20, seconds: 60 } };
  world = await World.start({ settings: { RATE_LIMITS: file(limits), TRUST_PROXY: '1' } });
  const read = (path: string, address: string, method = 'GET') =>
    send(world!.url, path, { method, headers: { 'x-forwarded-for': address } });
  const paths = ['/api/roles', '/api/roles', '/api/role/nothing', '/openapi.json', '/api/nothing', '/api/health'];
  const standings: (string | null)[] = [];
  for (const path of paths) standings.push((await read(path, '192.0.2.60')).headers.get('ratelimit'));
  const left = [19, 18, 17, 16].map(points => expect.stringMatching(new RegExp(`^"reads";r=${points};t=`)));
  expect(standings).toEqual([...left, null, null]);
  await Promise.all(Array.from({ length: 16 }, () => read('/api/roles', '192.0.2.60', 'HEAD')));
  const refused = await read('/api/roles', '192.0.2.60');
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited', limit: 'reads', retryable: true } });
  expect(refused.headers.get('ratelimit')).toMatch(/^"reads";r=0;t=\d+$/);
  expect(refused.headers.get('ratelimit-policy')).toBe('"reads";q=20;w=60');
  expect((await read('/api/health/live', '192.0.2.60')).status).toBe(200);
  expect((await read('/api/roles', '192.0.2.61')).status).toBe(200);
  await world.pass(60_000);
  expect((await read('/api/roles', '192.0.2.60')).status).toBe(200);
});

test('a service does not start with a limit that there is not', async () => {
  const starting = World.start({ settings: { RATE_LIMITS: file({ redes: { points: 1, seconds: 1 } }) } });
  await expect(starting).rejects.toThrow(/^RATE_LIMITS: there is no limit "redes"\. There are apply_edit, /);
});

test('without limits nobody is refused anything, and no answer speaks of them', async () => {
  world = await World.start({ settings: { RATE_LIMITS: 'off' } });
  const { headers } = await quickstart(world.url, { kind: 'reader' });
  const replies = await Promise.all(
    Array.from({ length: 70 }, () => send(world!.url, '/api/whoami', { body: {}, headers })),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(replies[0]!.headers.get('ratelimit')).toBeNull();
  const { body } = await send(world.url, '/api/limits');
  expect(body).toMatchObject({ enforced: false });
  expect(body['limits']).toContainEqual({ name: 'requests', points: 60, seconds: 60, per: 'muse' });
});
