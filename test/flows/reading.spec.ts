import { beforeAll, describe, expect, test } from '@jest/globals';
import { DescribedService, type Operation } from '../described-service.js';
import { type HeaderFields, type RawAgent, send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld({ settings: { SECURITY_CONTACT: 'mailto:security@example.org' } });
let api: DescribedService;
let poster: RawAgent;
let workers: RawAgent[];
let role: string;
let hire: number;
beforeAll(async () => {
  api = await DescribedService.of(world.url);
  poster = await world.raw('reading poster');
  workers = await Promise.all(['one', 'two', 'three', 'four'].map(name => world.raw(`reader ${name}`)));
  role = await post();
  await workers[0]!.post('apply', { role, note: 'Me.' });
  hire = (await poster.post('hire', { role, to: workers[0]!.museId })).body['hire'] as number;
  await world.settle();
});

const job = { title: 'A job', summary: 'Twenty characters at least.', done: 'a thing is done', seats: '10' };
const post = async () => (await poster.post('job', job)).body['role'] as string;
const get = (path: string, headers: HeaderFields = {}) => send(world.url, path, { headers });

/** Paths of one read of each kind. */
function targets(): string[] {
  const of: { [path: string]: string } = {
    '/api/muse/{id}': poster.museId,
    '/api/role/{slug}': role,
    '/api/verify/{muse}': poster.museId,
    '/api/record/hire/{hire}': String(hire),
    '/api/record/application/{key}': `${role}:${workers[0]!.museId}`,
  };
  const reads = api.operations.filter(isCacheable).filter(({ path }) => !path.includes('{') || path in of);
  const query: { [path: string]: string } = {
    '/api/search': '?q=job',
  };
  return reads.map(({ path }) => path.replace(/\{\w+\}/, () => of[path]!) + (query[path] ?? ''));
}

const isCacheable = ({ method, responses }: Operation) => method === 'get' && '304' in responses;

describe('every read', () => {
  test('has an etag and gives 304 without a body for it', async () => {
    expect(targets().length).toBeGreaterThan(14);
    for (const target of targets()) {
      const first = await get(target);
      const etag = first.headers.get('etag')!;
      // A profile counts its reads outside its etag, which is weak for that reason (RFC 9110, 8.8.1).
      expect([target, first.status, etag]).toEqual([target, 200, expect.stringMatching(/^(W\/)?"[\w-]+"$/)]);
      const strong = etag.replace('W/', '');
      for (const condition of [strong, `W/${strong}`, `"other", ${etag}`, '*']) {
        const response = await fetch(`${world.url}${target}`, { headers: { 'if-none-match': condition } });
        expect([target, condition, response.status, await response.text()]).toEqual([target, condition, 304, '']);
        expect(response.headers.get('etag')).toBe(etag);
        expect(response.headers.get('vary')).toBe('accept, min-position');
        expect(response.headers.get('access-control-allow-origin')).toBe('*');
      }
      expect((await get(target, { 'if-none-match': '"other"' })).status).toBe(200);
    }
  });

  test('returns for HEAD the headers of GET without a body', async () => {
    for (const target of targets()) {
      const whole = await fetch(`${world.url}${target}`);
      const length = (await whole.arrayBuffer()).byteLength;
      const head = await fetch(`${world.url}${target}`, { method: 'HEAD' });
      expect([target, head.status, await head.text()]).toEqual([target, 200, '']);
      for (const name of ['etag', 'content-type', 'cache-control', 'vary', 'access-control-allow-origin'])
        expect([target, name, head.headers.get(name)]).toEqual([target, name, whole.headers.get(name)]);
      expect([target, head.headers.get('content-length')]).toEqual([target, String(length)]);
      const condition = { 'if-none-match': whole.headers.get('etag')! };
      const same = await fetch(`${world.url}${target}`, { method: 'HEAD', headers: condition });
      expect([target, same.status]).toEqual([target, 304]);
    }
  });

  test('must be revalidated before reuse, even a refusal', async () => {
    const refused = ['/api/muse/agent_0000000000', '/api/roles?limit=x', '/api/nothing', '/api/job'];
    for (const target of [...targets(), ...refused]) {
      const { headers } = await get(target);
      expect([target, headers.get('cache-control')]).toEqual([target, 'no-cache']);
      expect([target, headers.get('vary')]).toEqual([target, 'accept, min-position']);
    }
  });
});

describe('a page of any origin', () => {
  const origin = { origin: 'https://elsewhere.example' };
  const PATHS = [
    '/',
    '/nothing',
    '/api',
    '/docs',
    '/openapi.json',
    '/api/role/a/b/c',
    '/.well-known/nothing',
    '/api/%ff',
  ];

  test('can read responses, refusals and headers of every path', async () => {
    for (const target of [
      ...targets(),
      ...PATHS,
      `/api/role/${'a'.repeat(2_000)}`,
      `/api/roles?skill=${'x'.repeat(20_000)}`,
    ]) {
      const { headers } = await get(target, origin);
      expect([target.slice(0, 50), headers.get('access-control-allow-origin')]).toEqual([target.slice(0, 50), '*']);
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('can read refused writes and price offers', async () => {
    for (const [path, body] of [
      ['/api/verify', '{}'],
      ['/api/job', '{'],
      ['/api/nothing', '{}'],
    ] as const) {
      const { headers } = await send(world.url, path, { body, headers: origin });
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, '*']);
      const exposed = headers.get('access-control-expose-headers')!.split(', ');
      expect(exposed).toEqual(expect.arrayContaining(['payment-required', 'payment-response', 'x-payment-response']));
      expect(exposed).toEqual(expect.arrayContaining(['event-position', 'etag', 'retry-after', 'x-request-id']));
    }
  });

  test('gets a successful preflight for every path', async () => {
    for (const target of [...PATHS.slice(0, -1), '/api/job', '/api/roles']) {
      const asking = {
        ...origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-payment',
      };
      const response = await fetch(`${world.url}${target}`, { method: 'OPTIONS', headers: asking });
      expect([target, response.status]).toEqual([target, 204]);
      expect(response.headers.get('access-control-allow-methods')).toBe('GET, POST');
      expect(response.headers.get('access-control-allow-headers')!.split(', ')).toEqual([
        'authorization',
        'content-type',
        'payment-signature',
        'x-payment',
        'idempotency-key',
        'min-position',
        'if-none-match',
        'last-event-id',
        'access-control-expose-headers',
      ]);
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });
});
