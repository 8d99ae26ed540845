import { beforeAll, describe, expect, test } from '@jest/globals';
import { POSITION_WIDTH } from '#libs/kernel/event.js';
import { type HeaderFields, newIdempotencyKey, RawAgent, send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let agent: RawAgent;
beforeAll(async () => {
  agent = await world.raw('reader');
});

const get = (path: string, headers: HeaderFields = {}) => send(world.url, path, { headers });
const job = { title: 'A job', summary: 'Twenty characters at least.', done: 'a thing is done' };

describe('writes of a caller', () => {
  test('are visible to a caller without positions', async () => {
    const { body, headers } = await agent.post('job', job);
    expect(headers.get('event-position')).toMatch(/^[0-9]+$/);
    expect(await get(`/api/role/${body['role'] as string}`)).toMatchObject({ status: 200 });
  });

  test('are visible to a caller that sends its position back', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { body, headers } = await agent.post('job', job, { 'min-position': '0' });
      const seen = await get(`/api/role/${body['role'] as string}`, { 'min-position': headers.get('event-position')! });
      expect(seen).toMatchObject({ status: 200, body: { role: { title: job.title } } });
    }
  });

  test('that change nothing return the last position they read', async () => {
    const first = await agent.post('join', { headline: 'the same' });
    expect(first.headers.get('event-position')).not.toBeNull();
    const key = { 'idempotency-key': newIdempotencyKey() };
    const written = await agent.post('job', job, key);
    const whoami = await agent.post('whoami');
    expect(whoami.headers.get('event-position')! < written.headers.get('event-position')!).toBe(true);
  });

  test.each(['-1', 'x', '1', `${'9'.repeat(POSITION_WIDTH)}0`])('min-position %j is malformed', async position => {
    const refused = { status: 400, body: { code: 'min_position', field: 'min-position' } };
    expect(await get('/api/roles', { 'min-position': position })).toMatchObject(refused);
    expect(await agent.post('job', job, { 'min-position': position })).toMatchObject(refused);
  });

  test('a position after the end of the log is refused to reads and writes', async () => {
    const head = await world.service.stores.log.head();
    for (const position of [String(Number(head) + 1).padStart(POSITION_WIDTH, '0'), '9'.repeat(POSITION_WIDTH)]) {
      const refused = { status: 400, body: { code: 'min_position', field: 'min-position', retryable: false } };
      const headers = { 'min-position': position };
      expect(await get('/api/roles', headers)).toMatchObject(refused);
      expect(await agent.post('whoami', {}, headers)).toMatchObject(refused);
      expect(await agent.post('job', job, headers)).toMatchObject(refused);
    }
    expect((await get('/api/roles', { 'min-position': head })).status).toBe(200);
    expect(await world.service.stores.log.head()).toBe(head);
  });
});

describe('a cache', () => {
  test.each(['/api/health', '/api/health/live'])('gets an etag of %s without a condition', async path => {
    const { headers } = await get(path);
    expect(headers.get('etag')).toMatch(/^"[\w-]+"$/);
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['no-cache', 'accept, min-position']);
  });

  test('gets another etag after a change', async () => {
    const before = (await get('/api/roles')).headers.get('etag')!;
    await agent.post('job', job);
    const after = await get('/api/roles', { 'if-none-match': before });
    expect(after.status).toBe(200);
    expect(after.headers.get('etag')).not.toBe(before);
  });

  test('gets no etag with an error', async () => {
    expect((await get('/api/role/nothing')).headers.get('etag')).toBeNull();
  });
});

describe('a browser', () => {
  test('is not required: OPTIONS without CORS headers succeeds', async () => {
    const response = await fetch(`${world.url}/api/job`, { method: 'OPTIONS' });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  });
});

describe('an error', () => {
  test('has a message, a code, whether to retry, and a hint', async () => {
    const { status, headers, body } = await get('/api/role/nothing');
    expect([status, headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
    const hint = 'Check the id, slug or name, and send the correct one.';
    expect(body).toEqual({ ok: false, error: 'There is no such job.', code: 'not_found', retryable: false, hint });
  });

  test('is an RFC 9457 document on request', async () => {
    const { status, headers, body } = await get('/api/role/nothing', { accept: 'application/problem+json' });
    expect([status, headers.get('content-type')]).toEqual([404, expect.stringMatching(/^application\/problem\+json/)]);
    expect(body).toMatchObject({
      type: `${world.url}/docs/errors#not_found`,
      title: 'Not Found',
      status: 404,
      detail: 'There is no such job.',
      code: 'not_found',
    });
  });

  test.each([
    ['GET', '/nothing'],
    ['POST', '/api/nothing'],
    ['DELETE', '/api/roles/all'],
    ['GET', '/api/roles/'],
    ['POST', '/api/job/'],
    ['GET', '/api/muse/'],
  ])('%s %s is an unknown endpoint', async (method, path) => {
    expect(await send(world.url, path, { method })).toMatchObject({ status: 404, body: { code: 'unknown_endpoint' } });
  });

  test('every response has its own request id', async () => {
    const paths = ['/api/roles', '/api/nothing', '/api/role/nothing', '/api/roles?limit=x'];
    const ids = await Promise.all(paths.map(async path => (await get(path)).headers.get('x-request-id')));
    expect(new Set([...ids, (await agent.post('whoami', {}, {})).headers.get('x-request-id')]).size).toBe(5);
    expect(ids).not.toContain(null);
  });
});

describe('a page', () => {
  test.each(['people?verified', 'people?open', 'roles?all'])('%s accepts 1, 0, true and false only', async target => {
    const answer = async (value: string) => (await get(`/api/${target}=${value}`)).body;
    expect(await answer('true')).toEqual(await answer('1'));
    expect(await answer('false')).toEqual(await answer('0'));
    expect(await answer('yes')).toMatchObject({ code: target.split('?')[1], reason: 'unknown_value' });
  });
});
