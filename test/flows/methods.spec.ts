import { METHODS, request as requestOf } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { START } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { World } from '../world.js';

/** What is asked by another method than the one that a path is for. */
let world: World;
beforeAll(async () => void (world = await World.start()));
afterAll(() => world.stop());

interface Answer {
  readonly status: number;
  readonly headers: { readonly [name: string]: unknown };
  readonly body: string;
}

const ask = (method: string, path: string, headers: { [name: string]: string } = {}) =>
  new Promise<Answer>((resolve, reject) => {
    const request = requestOf(`${world.url}${path}`, { method, headers }, response => {
      const { statusCode: status, headers } = response;
      text(response).then(body => resolve({ status: status!, headers, body }), reject);
    });
    request.on('error', reject).end();
  });

/** CONNECT asks for no path, OPTIONS is the browser's, and the others are answered. */
const ANSWERED = new Set(['CONNECT', 'OPTIONS', 'GET', 'HEAD']);

test.each(METHODS.filter(method => !ANSWERED.has(method)))('%s on a read is refused', async method => {
  for (const path of ['/api/feed', '/api/role/a-role', '/api/events']) {
    const { status, headers, body } = await ask(method, path);
    expect([path, status, headers['allow']]).toEqual([path, 405, 'GET']);
    expect(JSON.parse(body) as JsonObject).toMatchObject({ ok: false, code: 'method_not_allowed', retryable: false });
  }
});

test('a path of its own is nobody’s name: what answers a task is not looked up as one', async () => {
  for (const method of ['GET', 'HEAD', 'PUT']) {
    const { status, headers } = await ask(method, '/api/instant/submit?x=1');
    expect([method, status, headers['allow']]).toEqual([method, 405, 'POST']);
  }
  expect(await ask('GET', '/api/instant/1')).toMatchObject({ status: 404 });
});

test('another method on a path that does not exist finds nothing', async () => {
  const { status, body } = await ask('QUERY', '/api/nothing');
  expect([status, JSON.parse(body)]).toEqual([404, expect.objectContaining({ code: 'unknown_endpoint' })]);
});

test.each(['text/event-stream', 'application/x-ndjson'])(
  'HEAD of %s takes no place and reads nothing',
  async accept => {
    const { log } = world.service.stores;
    const [read, holds] = [log.readAll.bind(log), log.holds.bind(log)];
    let reads = 0;
    log.readAll = (...asked) => {
      if (asked[0] === START) reads += 1;
      return read(...asked);
    };
    log.holds = position => {
      reads += 1;
      return holds(position);
    };
    const paths = ['/api/events', `/api/events?after=${await log.head()}`];
    try {
      for (let n = 0; n < 6; n += 1) {
        const { status, headers, body } = await ask('HEAD', paths[n % paths.length]!, { accept });
        expect([status, headers['content-type'], headers['cache-control'], body]).toEqual([
          200,
          accept,
          'no-store',
          '',
        ]);
      }
      expect(reads).toBe(0);
    } finally {
      Object.assign(log, { readAll: read, holds });
    }
    const { status, body } = await ask('HEAD', '/api/events?after=1', { accept });
    expect([status, body]).toEqual([400, '']);
  },
);
