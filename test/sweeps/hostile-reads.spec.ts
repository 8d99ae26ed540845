import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Operation } from '../described-service.js';
import { forEachParallel, LONG, pairs } from '../hostile-requests.js';
import { send } from '../raw-agent.js';
import { AttackFixture } from '../attack-fixture.js';
import { CLEAN } from '../world.js';

/** Tests that no read returns a 500 or writes an event. */
const HEAP_GROWTH_BYTES_MAX = 64 * 1024 * 1024;

let fixture: AttackFixture;
let head: string;
beforeAll(async () => void (fixture = await AttackFixture.start()));
afterAll(() => fixture.world.stop());
beforeEach(async () => void (head = await fixture.head()));
afterEach(async () => expect(await fixture.head()).toBe(head));

describe('a read', () => {
  const IDS = [
    ...['%00', '%0a', '%c0%ae', '..%2f..%2fetc', '-1', '0', '1e3', '0x1', '1.0', '%20', "'%3b--", '%25', '*', '%7b%7d'],
    ...[
      '__proto__',
      'constructor',
      'null',
      'undefined',
      '%f0%9f%98%80',
      '%ed%a0%80',
      '%ff',
      '9'.repeat(20),
      '1'.repeat(13),
    ],
    ...['a'.repeat(101), 'a'.repeat(4_000), `job-1:${'a'.repeat(90)}`],
  ];

  test('with an unknown id returns 404', async () => {
    const operations = fixture.reads.filter(({ path }) => path.includes('{'));
    await forEachParallel(pairs(operations, IDS), async ([operation, id]) => {
      const target = operation.path.replace(/\{\w+\}/, id);
      const { body, status } = await fixture.attacker.get(operation, target);
      expect([target, status, body['code']]).toEqual([target, ...(isUtf8(id) ? [404, 'not_found'] : [400, 'path'])]);
    });
  });

  const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const scalars = [null, true, false, 0, -1, 1e308, 'x', '9'.repeat(400)];
  const CURSORS = [
    ...['x', '%', '%00', 'e30', LONG, cursor([]), cursor({}), cursor('x'), cursor([[]]), cursor([{}, 'x'])],
    ...scalars.flatMap(a => [[a], [a, 'x'], ['x', a], [a, 'x', 'x'], [true, a, 'x']].map(cursor)),
  ];

  /** Returns an existing name for a path parameter. */
  function knownIn(path: string, item: string): string {
    if (path.includes('/post/')) return item;
    return /\/(muse|people)\//.test(path) ? fixture.agent.museId : fixture.role;
  }

  /** Returns the other required parameters of a read. */
  function neededBy(path: string, name: string): string {
    if (path === '/api/referral-status') return `muse_id=${fixture.agent.museId}&`;
    if (path !== '/api/search' || name === 'q') return '';
    return name === 'after' ? 'q=a&type=people&' : 'q=a&';
  }

  test('with any cursor returns a page or names the cursor', async () => {
    const parameters = fixture.reads.flatMap(operation => [...pairs([operation], queryOf(operation))]);
    const { items } = (await send(fixture.world.url, '/api/feed')).body as unknown as { items: { id: number }[] };
    const item = String(items[0]!.id);
    const cursors = parameters.filter(([, name]) => ['after', 'before'].includes(name));
    await forEachParallel(pairs(cursors, CURSORS), async ([[operation, name], text]) => {
      const knownId = knownIn(operation.path, item);
      const target = `${operation.path.replace(/\{\w+\}/, knownId)}?${neededBy(operation.path, name)}${name}=${encodeURIComponent(text)}`;
      const { status, body } = await fixture.attacker.get(operation, target);
      expect([target, [200, 400].includes(status)]).toEqual([target, true]);
      if (status === 400) expect(body['field']).toBe(name);
    });
  });

  test('with any query succeeds or names the parameter', async () => {
    const values = ['x', '-1', '0', '1.5', '1e9', LONG, '%00', '%ff', '%', 'a&a=', '[]', '%F0%9F%98%80', '__proto__'];
    for (const operation of fixture.reads.filter(({ path }) => !path.includes('{'))) {
      const names = [...queryOf(operation), '__proto__', 'constructor', 'a[b]', '%00'].filter(name => name !== 'wait');
      await forEachParallel(pairs(names, values), async ([name, value]) => {
        const target = `${operation.path}?${neededBy(operation.path, name)}${name}=${value}`;
        const { status, body } = await fixture.attacker.get(operation, target);
        const isNamed = body['field'] === name || body['code'] === 'unknown_parameter';
        expect([target, status === 200 || isNamed]).toEqual([target, true]);
      });
      await forEachParallel(names, async name => {
        const { status } = await fixture.attacker.get(operation, `${operation.path}?${name}=a&${name}=b`);
        expect([name, [200, 400].includes(status)]).toEqual([name, true]);
      });
    }
  });

  test('under another method is refused', async () => {
    await forEachParallel(fixture.reads, async ({ path }) => {
      const target = path.replace(/\{\w+\}/, '1');
      const { status, headers } = await send(fixture.world.url, target, { method: 'PUT', body: '{}' });
      expect([target, status, headers.get('allow')]).toEqual([target, 405, expect.stringContaining('GET')]);
    });
  });
});

function isUtf8(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function queryOf({ parameters }: Operation): string[] {
  return parameters.filter(each => each['in'] === 'query').map(each => each['name'] as string);
}

test('hundreds of hostile reads leave memory and log unchanged', async () => {
  expect(fixture.attacker.sent).toBeGreaterThan(900);
  expect(fixture.heapGrowth()).toBeLessThan(HEAP_GROWTH_BYTES_MAX);
  expect(await fixture.world.audit()).toEqual(CLEAN);
});
