import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { type HeaderFields, quickstart, RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld({ settings: { RATE_LIMITS: 'dev', TRUST_PROXY: '1' }, overrides: { isAlone: true } });
let agent: RawAgent;
beforeAll(async () => {
  agent = await world.raw('counted');
});
// Starts each test with fresh windows.
beforeEach(() => world.advance(DAY_MS));

const from = (address: string): HeaderFields => ({ 'x-forwarded-for': address });
const limited = (limit: string) => ({ status: 429, body: { ok: false, code: 'rate_limited', retryable: true, limit } });
const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status);

async function times<T>(count: number, ask: (at: number) => Promise<T>): Promise<T[]> {
  const replies: T[] = [];
  for (let at = 0; at < count; at += 1) replies.push(await ask(at));
  return replies;
}

async function bearer() {
  const { headers } = await quickstart(world.url, { kind: 'reader' });
  return (path: string, body: object = {}) => send(world.url, `/api/${path}`, { body, headers });
}

const JOB = { summary: 'Twenty characters at least.', done: 'a thing is done' };
const job = (at: number) => ({ ...JOB, title: `Job ${at}` });

describe('a muse', () => {
  test('may send sixty requests a minute and sees how many are left', async () => {
    const ask = await bearer();
    const first = await ask('withdraw', { role: 'nothing' });
    expect(first.status).toBe(404);
    expect(first.headers.get('ratelimit-policy')).toBe('"requests";q=60;w=60');
    expect(first.headers.get('ratelimit')).toMatch(/^"requests";r=59;t=(60|59)$/);
    await times(58, () => ask('withdraw', { role: 'nothing' }));
    const last = await ask('whoami');
    expect(last.status).toBe(200);
    expect(last.headers.get('ratelimit-policy')).toBe('"requests";q=60;w=60, "whoami";q=60;w=3600');
    expect(last.headers.get('ratelimit')).toMatch(/^"requests";r=0;t=\d+, "whoami";r=59;t=3600$/);
    const refused = await ask('withdraw', { role: 'nothing' });
    expect(refused).toMatchObject(limited('requests'));
    expect(refused.headers.get('retry-after')).toBe(textOf(refused, 'retry_after'));
    expect(refused.headers.get('ratelimit')).toMatch(/^"requests";r=0;t=\d+$/);
    await world.advance((refused.body['retry_after'] as number) * SECOND_MS);
    expect((await ask('withdraw', { role: 'nothing' })).status).toBe(404);
  });

  test('is not limited by the requests of others', async () => {
    const [busy, other] = [await bearer(), await bearer()];
    await times(60, () => busy('withdraw', { role: 'nothing' }));
    expect(await busy('whoami')).toMatchObject(limited('requests'));
    expect((await other('whoami')).status).toBe(200);
  });

  test('is charged once for a signed request that it repeats', async () => {
    const [refused, done] = [
      agent.signed('withdraw', { role: 'nothing' }),
      agent.signed('connect', { to: agent.museId }),
    ];
    await times(40, () => agent.resend('withdraw', refused));
    await times(40, () => agent.resend('connect', done));
    const { status, headers } = await agent.post('withdraw', { role: 'nothing' });
    expect(status).toBe(404);
    expect(headers.get('ratelimit')).toMatch(/^"requests";r=57;/);
  });

  test('at its limit still gets the response to a repeated request', async () => {
    const body = agent.signed('withdraw', { role: 'nothing' });
    await agent.resend('withdraw', body);
    await times(59, () => agent.post('withdraw', { role: 'nothing' }));
    expect(await agent.post('withdraw', { role: 'nothing' })).toMatchObject(limited('requests'));
    expect((await agent.resend('withdraw', body)).status).toBe(404);
  });

  test('may use an endpoint a limited number of times an hour', async () => {
    const ask = await bearer();
    await times(50, () => ask('whoami'));
    await world.advance(MINUTE_MS);
    expect(new Set(statuses(await times(10, () => ask('whoami'))))).toEqual(new Set([200]));
    expect(await ask('whoami')).toMatchObject(limited('whoami'));
    expect((await ask('withdraw', { role: 'nothing' })).status).toBe(404);
    await world.advance(HOUR_MS);
    expect((await ask('whoami')).status).toBe(200);
  });

  test('may read its inbox sixty times an hour, and may wait for it beyond that', async () => {
    const ask = await bearer();
    await times(50, () => ask('inbox'));
    await world.advance(MINUTE_MS);
    expect(new Set(statuses(await times(10, () => ask('inbox', { wait: '0' }))))).toEqual(new Set([200]));
    expect(await ask('inbox')).toMatchObject(limited('inbox'));
    const waited = await ask('inbox', { wait: '1' });
    expect(waited.status).toBe(200);
    expect(waited.headers.get('ratelimit')).toContain('"inbox_wait";r=239;t=');
  });

  test('gets one new instant task an hour and may ask for its current task any time', async () => {
    const ask = await bearer();
    const first = await ask('instant');
    expect(
      new Set((await times(5, () => ask('instant'))).map(({ body }) => textOf({ ...first, body }, 'task'))).size,
    ).toBe(1);
    const { id } = first.body['task'] as { id: number };
    expect((await ask('instant/submit', { id, answer: 'wrong' })).body).toMatchObject({ ok: true, passed: false });
    const refused = await ask('instant');
    expect(refused).toMatchObject(limited('instant'));
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(HOUR_MS / SECOND_MS - 60);
    await world.advance(HOUR_MS);
    expect((await ask('instant')).body['task']).not.toBeNull();
  });

  test('posts twice a minute and twelve times an hour, and reacts 120 times an hour', async () => {
    const ask = await bearer();
    const post = (at: number) => ask('post', { text: `Post ${at}` });
    const first = await times(2, post);
    expect(await post(2)).toMatchObject(limited('post_minute'));
    for (let at = 2; at < 12; at += 2) {
      await world.advance(MINUTE_MS);
      expect(statuses(await times(2, each => post(at + each)))).toEqual([200, 200]);
    }
    await world.advance(MINUTE_MS);
    expect(await post(12)).toMatchObject(limited('post_hour'));
    const post_id = textOf(first[0]!, 'id');
    await world.advance(MINUTE_MS);
    const react = () => ask('react', { post_id, type: 'like' });
    for (let minute = 0; minute < 3; minute += 1, await world.advance(MINUTE_MS))
      expect(new Set(statuses(await times(40, react)))).toEqual(new Set([200]));
    expect(await react()).toMatchObject(limited('react'));
  });

  test('posts ten jobs a day, not counting refused ones', async () => {
    const ask = await bearer();
    expect(new Set(statuses(await times(12, () => ask('job', { title: 'x' }))))).toEqual(new Set([400]));
    expect(new Set(statuses(await times(10, at => ask('job', job(at)))))).toEqual(new Set([200]));
    expect(await ask('job', job(11))).toMatchObject(limited('job'));
    expect(await ask('job', { title: 'x' })).toMatchObject(limited('job'));
    await world.advance(DAY_MS);
    expect((await ask('job', job(12))).status).toBe(200);
    expect((await ask('delegate', { task: 'Translate one page.' })).headers.get('ratelimit')).toContain('"job";r=8');
  });

  test('applies for six new roles a day and edits ten applications an hour', async () => {
    const [poster, worker] = [await bearer(), await bearer()];
    const roles = (await times(8, at => poster('job', job(at)))).map(({ body }) => body['role'] as string);
    const apply = (role: string, note: string) => worker('apply', { role, note });
    expect((await apply('nothing', 'n')).status).toBe(404);
    const applied = await times(6, at => apply(roles[at]!, 'Gladly.'));
    expect(statuses(applied)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(applied.at(-1)!.headers.get('ratelimit')).toContain('"apply_new";r=0;t=');
    expect(await apply(roles[6]!, 'Gladly.')).toMatchObject(limited('apply_new'));
    const edited = await times(10, at => apply(roles[0]!, `Gladly, ${at}.`));
    expect(new Set(edited.map(({ body }) => body['edited']))).toEqual(new Set([true]));
    expect(await apply(roles[0]!, 'Gladly!')).toMatchObject(limited('apply_edit'));
    await world.advance(HOUR_MS);
    expect((await apply(roles[0]!, 'Gladly!')).body).toMatchObject({ edited: true });
    expect(await apply(roles[7]!, 'Gladly.')).toMatchObject(limited('apply_new'));
    expect((await worker('withdraw', { role: roles[1] })).status).toBe(200);
  });
});

describe('an address', () => {
  const guess = (address: string, token = `service_tok_${'x'.repeat(43)}`) =>
    send(world.url, '/api/whoami', { body: {}, headers: { ...from(address), authorization: `Bearer ${token}` } });
  const forge = (address: string) => {
    const body = agent.signed('whoami');
    return send(world.url, '/api/whoami', { body: { ...body, nonce: `${body['nonce']}x` }, headers: from(address) });
  };

  test('may guess thirty keys and tokens an hour and still use valid ones', async () => {
    const { headers: token } = await quickstart(world.url, { kind: 'holder' });
    const wrong = await times(30, at => (at % 2 ? guess : forge)('192.0.2.30'));
    expect(new Set(statuses(wrong))).toEqual(new Set([401]));
    expect(wrong.at(-1)!.headers.get('ratelimit')).toMatch(/"failed_authentications";r=0;t=\d+/);
    for (const ask of [guess, forge]) expect(await ask('192.0.2.30')).toMatchObject(limited('failed_authentications'));
    const right = { body: agent.signed('whoami'), headers: from('192.0.2.30') };
    expect((await send(world.url, '/api/whoami', right)).status).toBe(200);
    const unknown = { ...agent.signed('whoami'), muse_id: 'agent_0000000000' };
    const asUnknown = (address: string) => send(world.url, '/api/whoami', { body: unknown, headers: from(address) });
    expect(await asUnknown('192.0.2.30')).toMatchObject(limited('failed_authentications'));
    expect(await asUnknown('192.0.2.31')).toMatchObject({ status: 401, body: { code: 'unknown_muse' } });
    const held = { ...from('192.0.2.30'), ...token };
    expect((await send(world.url, '/api/whoami', { body: {}, headers: held })).status).toBe(200);
    await world.advance(HOUR_MS);
    expect((await guess('192.0.2.30')).status).toBe(401);
  });

  test('may create ten identities an hour, counting refused ones, with or without a key', async () => {
    const headers = from('2001:db8::1');
    const another = from('2001:db8::2');
    const make = (at: number) =>
      send(world.url, '/api/quickstart', { body: { kind: 'many' }, headers: at % 2 ? headers : another });
    expect(statuses(await times(8, make))).toEqual(Array.from({ length: 8 }, () => 200));
    expect((await send(world.url, '/api/quickstart', { body: {}, headers })).status).toBe(400);
    const key = new RawAgent(world.url, () => world.now());
    const body = key.signed('register', { name: 'The tenth', headline: 'h' });
    expect((await key.resend('register', body, headers)).status).toBe(200);
    expect(await make(1)).toMatchObject(limited('new_identities'));
    expect((await key.resend('register', body, headers)).status).not.toBe(429);
    expect(
      statuses(await times(11, () => send(world.url, '/api/quickstart', { body: { kind: 'local' } }))),
    ).not.toContain(429);
  });
});

test('hourly counts survive a restart', async () => {
  const headers = from('192.0.2.99');
  const make = () => send(world.url, '/api/quickstart', { body: { kind: 'many' }, headers });
  await times(10, make);
  await world.restart({ isAlone: true });
  expect(await make()).toMatchObject(limited('new_identities'));
});

test('the limits are public, with the values for the caller', async () => {
  const { body } = await send(world.url, '/api/limits');
  const rows = body['limits'] as { name: string; points: number; seconds: number; per: string }[];
  expect(body).toMatchObject({ ok: true, enforced: true });
  expect(rows).toContainEqual({ name: 'requests', points: 60, seconds: 60, per: 'muse' });
  expect(rows).toContainEqual({ name: 'unsigned', points: 600, seconds: 60, per: 'address' });
  expect(rows.find(({ name }) => name === 'new_identities')!.points).toBe(600);
  const elsewhere = await send(world.url, '/api/limits', { headers: from('192.0.2.1') });
  const ofAddress = { name: 'new_identities', points: 10, seconds: 3_600, per: 'address' };
  expect(elsewhere.body['limits']).toContainEqual(ofAddress);
});

test('no store contains an address of a client', () => {
  const folder = join(world.folder, 'data');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(each => each.isFile());
  const holding = files.filter(({ parentPath, name }) =>
    /192\.0\.2\.|2001:db8/.test(readFileSync(join(parentPath, name), 'latin1')),
  );
  expect(files.length).toBeGreaterThan(3);
  expect(holding).toEqual([]);
});
