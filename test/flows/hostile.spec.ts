import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { BODY_BYTES_MAX } from '#libs/http/body.js';
import { Described, type Operation } from '../described.js';
import { anyJson, Attacker, HALF_A_PAIR, LONG, openAttacks, seeded, signedAttacks } from '../hostile.js';
import { type Headings, quickstart, type RawAgent, send } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

/** Whatever is sent to whichever operation: a 4xx that names it, never a 500, and not one event. */
const SEED = 20_261_121;
const HEAP_GROWTH_BYTES_MAX = 64 * 1024 * 1024;

let world: World;
let api: Described;
let agent: RawAgent;
let token: Headings;
let attacker: Attacker;
let heap: number;
const writes = (): Operation[] => api.operations.filter(({ method }) => method === 'post');
const acting = (): Operation[] => writes().filter(({ id }) => id !== 'faucet');
const reads = (): Operation[] => api.operations.filter(({ method }) => method === 'get');

beforeAll(async () => {
  world = await World.start();
  api = await Described.of(world.url);
  agent = await world.raw('attacker');
  ({ headers: token } = await quickstart(world.url, { name: 'bearer', kind: 'attacker' }));
  attacker = new Attacker(api);
  await world.settled();
  heap = heapUsed();
});
afterAll(() => world.stop());

let head: string;
beforeEach(async () => void (head = await world.service.stores.log.head()));
afterEach(async () => expect(await world.service.stores.log.head()).toBe(head));

function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

const is4xx = (status: number) => status >= 400 && status < 500;

describe('a field', () => {
  test('that is missing, too long, unreadable or no text is named, where the body is signed', async () => {
    for (const operation of acting().filter(({ id }) => id !== 'quickstart')) {
      for (const { field, body } of signedAttacks(operation, agent)) {
        const { status, body: answer } = await attacker.post(operation, body);
        expect([operation.id, body[field], status, answer['field']]).toEqual([operation.id, body[field], 400, field]);
      }
    }
  });

  test('that is missing, too long, unreadable or no scalar is named, where a token is sent', async () => {
    for (const operation of writes().filter(({ id }) => !['register', 'identity'].includes(id))) {
      for (const { field, body } of openAttacks(operation)) {
        const { status, body: answer } = await attacker.post(operation, body, token);
        expect([operation.id, body[field], status, answer['field']]).toEqual([operation.id, body[field], 400, field]);
      }
    }
  });

  test.each(['__proto__', 'Constructor', 'a.b', 'a[]', '$where', '', ' a', 'ａ', 'a\u0000'])(
    'is not called %j',
    async name => {
      const text = `{${JSON.stringify(name)}:"x"}`;
      for (const operation of acting()) {
        if (['register', 'identity'].includes(operation.id)) continue;
        const { status, body } = await attacker.post(operation, text, token);
        expect([operation.id, status, body['code']]).toEqual([operation.id, 400, 'field_name']);
      }
    },
  );

  test.each(['constructor', 'prototype', 'hasownproperty'])('called %s is as unknown as any other', async name => {
    for (const operation of acting()) {
      const { status, body } = await attacker.post(operation, { [name]: 'x' }, token);
      if (status === 200) expect(body['ignored']).toEqual([name]);
      else expect([operation.id, is4xx(status)]).toEqual([operation.id, true]);
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test('that signs is named where it is malformed', async () => {
    for (const operation of acting().filter(({ id }) => !['quickstart', 'register', 'identity'].includes(id))) {
      const right = agent.signed(operation.id, operation.request!.example as { [name: string]: string });
      for (const field of ['muse_id', 'timestamp', 'nonce']) {
        for (const value of ['', LONG, 'a\u0000', 5, [], {}, ...HALF_A_PAIR]) {
          const { status, body } = await attacker.post(operation, { ...right, [field]: value });
          expect([operation.id, field, value, status, body['field']]).toEqual([operation.id, field, value, 400, field]);
        }
      }
    }
  });
});

describe('a body', () => {
  const nested = (open: string, close: string) => `{"a":${open.repeat(10_000)}1${close.repeat(10_000)}}`;
  const BODIES: [what: string, body: string | Uint8Array][] = [
    ['10,000 lists deep', nested('[', ']')],
    ['10,000 objects deep', nested('{"a":', '}')],
    ['10,000 lists deep and cut off', '['.repeat(10_000)],
    ['with a key twice', '{"role":"a","role":"b"}'],
    ['with a key twice, once escaped', '{"role":"a","r\\u006fle":"b"}'],
    ['that is a list', '[{"role":"a"}]'],
    ['that is a text', '"role"'],
    ['that is a number', '1e999'],
    ['that is null', 'null'],
    ['that is cut off', '{"role":"a'],
    ['with a comma too many', '{"role":"a",}'],
    ['with a comment', '{/**/"role":"a"}'],
    ['with a byte order mark in the middle', '{"a"\ufeff:1}'],
    ['that is no UTF-8', Uint8Array.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xc3, 0x28, 0x22, 0x7d])],
    ['that is UTF-16', new Uint8Array(Buffer.from('{"a":"b"}', 'utf16le'))],
    ['of NUL bytes', new Uint8Array(64)],
  ];

  test.each(BODIES)('%s is none', async (_what, body) => {
    for (const operation of writes()) {
      const { status, body: answer } = await attacker.post(operation, body, token);
      expect([operation.id, status, answer['code']]).toEqual([operation.id, 400, 'body']);
    }
  });

  const sized = (bytes: number) => `{"padding":"${'x'.repeat(bytes - '{"padding":""}'.length)}"}`;

  test('of 64 KiB is read, and one byte more is not', async () => {
    for (const operation of writes()) {
      const read = await attacker.post(operation, sized(BODY_BYTES_MAX), token);
      if (read.status === 200) expect(read.body['ignored']).toEqual(['padding']);
      else expect([operation.id, is4xx(read.status), read.status]).not.toEqual([operation.id, true, 413]);
      const { status, body } = await attacker.post(operation, sized(BODY_BYTES_MAX + 1), token);
      expect([operation.id, status, body['code']]).toEqual([operation.id, 413, 'body_too_large']);
    }
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'x',
  ])('of type %s is refused', async type => {
    for (const operation of writes()) {
      const { status, body } = await attacker.post(operation, '{"a":"b"}', { ...token, 'content-type': type });
      expect([operation.id, status, body['code']]).toEqual([operation.id, 415, 'content_type']);
    }
  });

  test('of any shape is refused', async () => {
    const random = seeded(SEED);
    for (let round = 0; round < 20; round += 1) {
      for (const operation of acting()) {
        const { status } = await attacker.post(operation, JSON.stringify(anyJson(random)) ?? 'null');
        expect([operation.id, is4xx(status)]).toEqual([operation.id, true]);
      }
    }
  });
});

describe('a header', () => {
  test('that is no token, payment, key or position is refused', async () => {
    const wrong = [
      'x',
      LONG,
      '{}',
      Buffer.from('{}').toString('base64'),
      Buffer.from('[]').toString('base64'),
      '=',
      '-1',
    ];
    const names = ['authorization', 'idempotency-key', 'min-position', 'payment-signature', 'x-payment'];
    for (const operation of acting()) {
      for (const name of names) {
        for (const value of wrong) {
          const { status } = await attacker.post(operation, { a: 'b' }, { [name]: value });
          expect([operation.id, name, is4xx(status)]).toEqual([operation.id, name, true]);
        }
      }
    }
  });

  test('that is no payment is named by who signs', async () => {
    const presented = [
      {},
      { x402Version: 3 },
      { x402Version: 1 },
      { x402Version: 2, accepted: {}, payload: {} },
      [],
      'x',
      null,
    ];
    const texts = presented.map(value => Buffer.from(JSON.stringify(value)).toString('base64'));
    for (const operation of acting().filter(
      ({ codes, id }) => codes.includes('payment_required') && id !== 'identity',
    )) {
      for (const text of ['%', 'e30', ...texts]) {
        const body = agent.signed(operation.id, operation.request!.example as { [name: string]: string });
        const { status, body: answer } = await attacker.post(operation, body, { 'payment-signature': text });
        expect([operation.id, text, status, answer['code']]).toEqual([operation.id, text, 400, 'payment_signature']);
      }
    }
  });
});

describe('a read', () => {
  const IDS = [
    ...['%00', '%0a', '%c0%ae', '..%2f..%2fetc', '%2e%2e', '-1', '0', '1e3', '0x1', '1.0', '%20', "'%3b--", '%25', '*'],
    ...[
      '__proto__',
      'constructor',
      'null',
      'undefined',
      '%f0%9f%98%80',
      '%ed%a0%80',
      '%ff',
      'a'.repeat(101),
      'a'.repeat(4_000),
    ],
    ...['9'.repeat(20), '1'.repeat(13), `job-1:${'a'.repeat(90)}`, '%7b%7d', '%5b%5d'],
  ];

  test('of an id that nothing has finds nothing', async () => {
    for (const operation of reads().filter(({ path }) => path.includes('{'))) {
      for (const id of IDS) {
        const target = operation.path.replace(/\{\w+\}/, id);
        const { status, body } = await send(world.url, target);
        expect([target, status, is4xx(status), typeof body['code']]).toEqual([target, status, true, 'string']);
        expect([400, 404]).toContain(status);
      }
    }
  });

  const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const scalars = [null, true, false, 0, -1, 1e308, 'x', '9'.repeat(400)];
  const CURSORS = [
    ...['x', '%', '%00', 'e30', LONG, cursor([]), cursor({}), cursor('x'), cursor([[]]), cursor([{}, 'x'])],
    ...scalars.flatMap(a => [
      cursor([a]),
      cursor([a, 'x']),
      cursor(['x', a]),
      cursor([a, 'x', 'x']),
      cursor([true, a, 'x']),
    ]),
  ];

  test('with any cursor answers a page or names the cursor', async () => {
    for (const operation of reads()) {
      for (const name of queryOf(operation).filter(each => ['after', 'before'].includes(each))) {
        for (const text of CURSORS) {
          const target = `${operation.path.replace(/\{\w+\}/, 'job-1')}?${name}=${encodeURIComponent(text)}`;
          const { status, body } = await attacker.get(operation, target);
          expect([target, [200, 400, 404].includes(status)]).toEqual([target, true]);
          if (status === 400) expect(body['field']).toBe(name);
        }
      }
    }
  });

  test('with any query answers, or names the parameter', async () => {
    const values = [
      'x',
      '-1',
      '0',
      '1.5',
      '1e9',
      LONG,
      '%00',
      '%ff',
      '%',
      'a&a=',
      '[]',
      '%F0%9F%98%80',
      '__proto__',
      'true',
    ];
    for (const operation of reads().filter(({ path }) => !path.includes('{'))) {
      for (const name of [...queryOf(operation), '__proto__', 'constructor', 'a[b]', '%00', '']) {
        for (const value of values) {
          if (name === 'wait') continue;
          const target = `${operation.path}?${name}=${value}`;
          const { status, body } = await attacker.get(operation, target);
          expect([target, status === 200 || status === 400]).toEqual([target, true]);
          if (status === 400) expect([target, body['field']]).toEqual([target, name]);
        }
        const twice = await attacker.get(operation, `${operation.path}?${name}=a&${name}=b`);
        expect([200, 400]).toContain(twice.status);
      }
    }
  });

  test('with a huge query or header is refused before it is read', async () => {
    const { status, body } = await send(world.url, `/api/roles?skill=${'x'.repeat(20_000)}`);
    expect([status, body['ok'], body['code']]).toEqual([431, false, 'headers_too_large']);
    const headers = { 'if-none-match': 'x'.repeat(20_000) };
    expect(await send(world.url, '/api/roles', { headers })).toMatchObject({ status: 431, body: { ok: false } });
    expect((await send(world.url, '/api/roles', { headers: { 'if-none-match': ',"'.repeat(4_000) } })).status).toBe(
      200,
    );
  });

  test('with a body or under another method is refused', async () => {
    for (const { path } of reads()) {
      const target = path.replace(/\{\w+\}/, '1');
      const wrong = await send(world.url, target, { method: 'PUT', body: '{}' });
      const known = writes().some(write => write.path === path) ? ['GET, POST', 'POST, GET'] : ['GET'];
      expect([target, wrong.status, known.includes(wrong.headers.get('allow')!)]).toEqual([target, 405, true]);
    }
  });
});

function queryOf({ parameters }: Operation): string[] {
  return parameters.filter(each => each['in'] === 'query').map(each => each['name'] as string);
}

test('thousands of them leave memory and log as they were', async () => {
  expect(attacker.sent).toBeGreaterThan(3_000);
  expect(heapUsed() - heap).toBeLessThan(HEAP_GROWTH_BYTES_MAX);
  expect(await world.audit()).toEqual(CLEAN);
});
