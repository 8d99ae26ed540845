import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { BODY_BYTES_MAX } from '#libs/http/json-body.js';
import type { Operation } from '../described-service.js';
import {
  anyJson,
  type Attack,
  forEachParallel,
  LONE_SURROGATES,
  LONG,
  openAttacks,
  pairs,
  seededRandom,
  signedAttacks,
} from '../hostile-requests.js';
import type { HeaderFields } from '../raw-agent.js';
import { is4xx, NEW_KEY_OPERATIONS, OTHER_KEY_OPERATIONS, AttackFixture } from '../attack-fixture.js';
import { CLEAN } from '../world.js';

/** Tests that no write returns a 500 or writes an event. */
const SEED = 20_261_121;
/** Number of random bodies per operation. */
const SHAPES = 20;
/** Allows for a busy machine. */
const SLOW_MS = 60_000;
const HEAP_GROWTH_BYTES_MAX = 64 * 1024 * 1024;

let fixture: AttackFixture;
let head: string;
beforeAll(async () => void (fixture = await AttackFixture.start()));
afterAll(() => fixture.world.stop());
beforeEach(async () => void (head = await fixture.head()));
afterEach(async () => expect(await fixture.head()).toBe(head));

describe('a field', () => {
  const named = async (operation: Operation, { field, body }: Attack, headers: HeaderFields = {}) => {
    const { status, body: answer } = await fixture.attacker.post(operation, body, headers);
    expect([operation.id, body[field], status, answer['field']]).toEqual([operation.id, body[field], 400, field]);
  };

  test(
    'that is missing, too long, malformed or not text is named in a signed body',
    async () => {
      for (const operation of fixture.acting.filter(({ id }) => !['quickstart', 'recover'].includes(id)))
        await forEachParallel(signedAttacks(operation, fixture.agent), attack => named(operation, attack));
    },
    SLOW_MS,
  );

  test(
    'that is missing, too long, malformed or not scalar is named with a token',
    async () => {
      for (const operation of fixture.writes.filter(({ id }) => !OTHER_KEY_OPERATIONS.includes(id)))
        await forEachParallel(openAttacks(operation), attack => named(operation, attack, fixture.token));
    },
    SLOW_MS,
  );

  test.each(['__proto__', 'Constructor', 'a.b', 'a[]', '$where', '', ' a', 'ａ', 'a\u0000'])(
    'with the name %j is refused',
    async name => {
      const operations = fixture.acting.filter(({ id }) => !OTHER_KEY_OPERATIONS.includes(id));
      await forEachParallel(operations, async operation => {
        const { status, body } = await fixture.attacker.post(operation, `{${JSON.stringify(name)}:"x"}`, fixture.token);
        expect([operation.id, status, body['code']]).toEqual([operation.id, 400, 'field_name']);
      });
    },
  );

  test.each(['constructor', 'prototype', 'hasownproperty'])('with the name %s is treated as unknown', async name => {
    await forEachParallel(fixture.acting, async operation => {
      const { status, body } = await fixture.attacker.post(operation, { [name]: 'x' }, fixture.token);
      if (status === 200) expect(body['ignored']).toEqual([name]);
      else expect([operation.id, is4xx(status)]).toEqual([operation.id, true]);
    });
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test('in a signature is named if it is malformed', async () => {
    const values = ['', LONG, 'a\u0000', 5, [], {}, ...LONE_SURROGATES];
    for (const operation of fixture.acting.filter(
      ({ id }) => id !== 'quickstart' && !NEW_KEY_OPERATIONS.includes(id),
    )) {
      const right = fixture.agent.signed(operation.id, operation.request!.example as { [name: string]: string });
      await forEachParallel(pairs(['muse_id', 'timestamp', 'nonce'], values), ([field, value]) =>
        named(operation, { field, body: { ...right, [field]: value } }),
      );
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
    ['with an extra comma', '{"role":"a",}'],
    ['with a comment', '{/**/"role":"a"}'],
    ['with a byte order mark in the middle', '{"a"\ufeff:1}'],
    ['that is not UTF-8', Uint8Array.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xc3, 0x28, 0x22, 0x7d])],
    ['that is UTF-16', new Uint8Array(Buffer.from('{"a":"b"}', 'utf16le'))],
    ['of NUL bytes', new Uint8Array(64)],
  ];

  test.each(BODIES)('%s is refused', async (_what, body) => {
    await forEachParallel(fixture.writes, async operation => {
      const { status, body: answer } = await fixture.attacker.post(operation, body, fixture.token);
      expect([operation.id, status, answer['code']]).toEqual([operation.id, 400, 'body']);
    });
  });

  const sized = (bytes: number) => `{"padding":"${'x'.repeat(bytes - '{"padding":""}'.length)}"}`;

  test('with 64 KiB is read, and with a byte more refused', async () => {
    await forEachParallel(fixture.writes, async operation => {
      const read = await fixture.attacker.post(operation, sized(BODY_BYTES_MAX), fixture.token);
      if (read.status === 200) expect(read.body['ignored']).toEqual(['padding']);
      else expect([400, 401, 402]).toContain(read.status);
      const { status, body } = await fixture.attacker.post(operation, sized(BODY_BYTES_MAX + 1), fixture.token);
      expect([operation.id, status, body['code']]).toEqual([operation.id, 413, 'body_too_large']);
    });
  });

  const TYPES = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
  ];

  test.each([...TYPES, 'x'])('with the content type %s is refused', async type => {
    await forEachParallel(fixture.writes, async operation => {
      const { status, body } = await fixture.attacker.post(operation, '{"a":"b"}', {
        ...fixture.token,
        'content-type': type,
      });
      expect([operation.id, status, body['code']]).toEqual([operation.id, 415, 'content_type']);
    });
  });

  test('with a random shape is refused', async () => {
    const random = seededRandom(SEED);
    const bodies = Array.from({ length: SHAPES }, () => JSON.stringify(anyJson(random)));
    await forEachParallel(pairs(fixture.acting, bodies), async ([operation, body]) => {
      const { status } = await fixture.attacker.post(operation, body);
      expect([operation.id, body, is4xx(status)]).toEqual([operation.id, body, true]);
    });
  });
});

describe('a header', () => {
  test('with an invalid token, payment, key or position is refused', async () => {
    const wrong = ['x', LONG, '{}', Buffer.from('{}').toString('base64'), '=', '-1'];
    const names = ['authorization', 'idempotency-key', 'min-position', 'payment-signature', 'x-payment'];
    await forEachParallel(pairs(fixture.acting, pairs(names, wrong)), async ([operation, [name, value]]) => {
      const { status } = await fixture.attacker.post(operation, { a: 'b' }, { [name]: value });
      expect([operation.id, name, is4xx(status)]).toEqual([operation.id, name, true]);
    });
  });

  test('with a token does not replace the signature of a new key', async () => {
    for (const id of NEW_KEY_OPERATIONS) {
      const operation = fixture.api.operation(id);
      const { status, body } = await fixture.attacker.post(operation, operation.request!.example, fixture.token);
      expect([id, status, body['code']]).toEqual([
        id,
        ...(id === 'register' ? [401, 'unsigned'] : [402, 'payment_required']),
      ]);
    }
  });

  test('with an invalid payment is named', async () => {
    const presented = [
      {},
      { x402Version: 3 },
      { x402Version: 1 },
      { x402Version: 2, accepted: {}, payload: {} },
      [],
      'x',
    ];
    const texts = presented.map(value => Buffer.from(JSON.stringify(value)).toString('base64'));
    const paid = fixture.acting.filter(
      ({ codes, id }) => codes.includes('payment_required') && !NEW_KEY_OPERATIONS.includes(id),
    );
    await forEachParallel(pairs(paid, ['%', 'e30', ...texts]), async ([operation, text]) => {
      const { example } = operation.request!;
      const { status, body } = await fixture.attacker.post(operation, example, {
        ...fixture.token,
        'payment-signature': text,
      });
      expect([operation.id, text, status, body['code']]).toEqual([operation.id, text, 400, 'payment_signature']);
    });
  });
});

test('thousands of hostile writes leave memory and log unchanged', async () => {
  expect(fixture.attacker.sent).toBeGreaterThan(2_500);
  expect(fixture.heapGrowth()).toBeLessThan(HEAP_GROWTH_BYTES_MAX);
  expect(await fixture.world.audit()).toEqual(CLEAN);
});
