import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { AgentClient } from '#libs/client/index.js';
import { newIdempotencyKey, quickstart, type RawAgent, send } from '../raw-agent.js';
import { CLEAN, newFolder, World } from '../world.js';
import { useWorld } from '../use-world.js';

describe('addresses behind a proxy', () => {
  /** Maximum live tails per network address. */
  const TAILS_MAX = 4;

  let world: World;
  const open = new Set<AbortController>();
  afterEach(async () => {
    for (const aborting of open) aborting.abort();
    open.clear();
    await world.stop();
  });

  /** Opens a live tail and keeps it open. */
  async function tail(forwarded: string): Promise<number> {
    const aborting = new AbortController();
    const headers = { accept: 'text/event-stream', 'x-forwarded-for': forwarded };
    const { status } = await fetch(`${world.url}/api/events`, { headers, signal: aborting.signal });
    open.add(aborting);
    return status;
  }

  async function statuses(...forwarded: readonly string[]): Promise<number[]> {
    const codes: number[] = [];
    for (const each of forwarded) codes.push(await tail(each));
    return codes;
  }

  const MOST = Array.from({ length: TAILS_MAX }, () => 200);

  test('each client has its own tails, by the address that the nearest proxy saw', async () => {
    world = await World.start({ settings: { TRUST_PROXY: '1' } });
    const spoofed = (n: number) => `198.51.100.${n}, 192.0.2.1`;
    expect(await statuses(...[1, 2, 3, 4, 5].map(spoofed))).toEqual([...MOST, 429]);
    expect(await statuses('192.0.2.2')).toEqual([200]);
  });

  test('X-Forwarded-For is ignored without a proxy', async () => {
    world = await World.start();
    expect(await statuses(...[1, 2, 3, 4, 5].map(n => `192.0.2.${n}`))).toEqual([...MOST, 429]);
  });
});

describe('the file of limits', () => {
  const folder = newFolder();
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

  test('changes single limits', async () => {
    const limits = { whoami: { points: 2, seconds: 5 }, new_identities: { points: 1, seconds: 60 } };
    world = await World.start({ settings: { RATE_LIMITS: file(limits) } });
    const { headers } = await quickstart(world.url, { kind: 'reader' });
    const refused = await send(world.url, '/api/quickstart', { body: { kind: 'reader' } });
    expect(refused.body).toMatchObject({ code: 'rate_limited', limit: 'new_identities' });
    const whoami = () => send(world!.url, '/api/whoami', { body: {}, headers });
    expect([(await whoami()).status, (await whoami()).status]).toEqual([200, 200]);
    const { status, body, headers: responseHeaders } = await whoami();
    expect([status, body['limit'], responseHeaders.get('ratelimit-policy')]).toEqual([
      429,
      'whoami',
      '"requests";q=60;w=60, "whoami";q=2;w=5',
    ]);
    const table = (await send(world.url, '/api/limits')).body['limits'];
    expect(table).toContainEqual({ name: 'whoami', points: 2, seconds: 5, per: 'muse' });
    expect(table).toContainEqual({ name: 'new_identities', points: 1, seconds: 60, per: 'address' });
    expect(await world.audit()).toEqual(CLEAN);
  });

  test('limits the reads of an address, cached or not, but not health checks', async () => {
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
    await world.advance(60_000);
    expect((await read('/api/roles', '192.0.2.60')).status).toBe(200);
  });

  test('refuses to start with an unknown limit', async () => {
    const starting = World.start({ settings: { RATE_LIMITS: file({ redes: { points: 1, seconds: 1 } }) } });
    await expect(starting).rejects.toThrow(/^RATE_LIMITS: the limit "redes" does not exist\. Limits: apply_edit, /);
  });

  test('without limits, no request is refused and no response has limit headers', async () => {
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
});

describe('the signed origin', () => {
  const world = useWorld();
  let agent: RawAgent;
  beforeAll(async () => void (agent = await world.raw('addressee')));

  const port = () => new URL(world.service.baseUrl).port;
  const refusal = () => ({
    status: 401,
    body: { code: 'wrong_origin', field: 'origin', retryable: false, origin: world.service.baseUrl },
  });

  test.each(['127.0.0.1', 'localhost', '[::1]'])('is accepted for this service under the name %s', async host => {
    const answer = await agent.post('profile', { bio: `For ${host}.`, origin: `http://${host}:${port()}` });
    expect(answer).toMatchObject({ status: 200, body: { changed: ['bio'] } });
    expect(answer.body).not.toHaveProperty('ignored');
  });

  test('that names another service is refused with the name of this service', async () => {
    const everywhere = [`http://0.0.0.0:${port()}`, `http://[::]:${port()}`];
    const others = ['https://jobs.example', `https://127.0.0.1:${port()}`, 'http://127.0.0.1:1', 'no address', ''];
    for (const origin of [...others, ...everywhere])
      expect(await agent.post('whoami', { origin })).toMatchObject(refusal());
  });

  test('is checked after the signature and leaves the nonce unspent', async () => {
    const body = agent.signed('whoami', { origin: 'https://jobs.example' });
    expect(await agent.resend('whoami', { ...body, origin: world.service.baseUrl })).toMatchObject({
      body: { code: 'signature_mismatch' },
    });
    expect(await agent.resend('whoami', body)).toMatchObject(refusal());
    const again = agent.signed('whoami', { origin: world.service.baseUrl }, { nonce: body['nonce']! });
    expect(await agent.resend('whoami', again)).toMatchObject({ status: 200 });
  });

  test('may be sent with a bearer request', async () => {
    const { headers } = await quickstart(world.url, { kind: 'editor' });
    const right = await send(world.url, '/api/whoami', { headers, body: { origin: world.service.baseUrl } });
    expect(right).toMatchObject({ status: 200 });
    expect(right.body).not.toHaveProperty('ignored');
    const body = { origin: 'https://jobs.example' };
    expect(await send(world.url, '/api/whoami', { headers, body })).toMatchObject(refusal());
  });

  test('does not change what an idempotency key identifies', async () => {
    const key = { 'idempotency-key': newIdempotencyKey() };
    const job = { title: 'Meant for here', summary: 'Twenty characters at least.', done: 'a thing is done' };
    const first = await agent.post('job', { ...job, origin: world.service.baseUrl }, key);
    expect(await agent.post('job', job, key)).toMatchObject({ status: 200, body: first.body });
  });

  test('is sent by the client by default, from its own setting', async () => {
    const bodies: string[] = [];
    const spying: typeof fetch = (input, init) => {
      if (typeof init?.body === 'string') bodies.push(init.body);
      return fetch(input, init);
    };
    const client = await world.agent('client', { fetch: spying });
    await client.profile({ bio: 'Said.' });
    expect(bodies.length).toBeGreaterThan(2);
    for (const body of bodies.filter(each => each.includes('signature')))
      expect(JSON.parse(body)).toMatchObject({ origin: world.service.baseUrl });
    const options = { museId: client.museId, origin: 'https://jobs.example' };
    const misled = AgentClient.withKey(world.url, client.seed!, options);
    await expect(misled.whoami()).rejects.toMatchObject({ code: 'wrong_origin' });
  });
});
