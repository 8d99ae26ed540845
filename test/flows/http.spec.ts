import { once } from 'node:events';
import { METHODS, request as requestOf } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { LOG_START } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { send } from '../raw-agent.js';
import { World } from '../world.js';
import { watchErrors } from '../world/logged-errors.js';
import { waitUntil } from '../wait-until.js';
import { useWorld } from '../use-world.js';

describe('headers of responses', () => {
  const world = useWorld();

  test.each(['/api/feed', '/docs', '/api/nothing', '/api/events/checkpoint'])(
    '%s forbids content type sniffing',
    async path => expect((await send(world.url, path)).headers.get('x-content-type-options')).toBe('nosniff'),
  );

  test('a response with a token is not cached', async () => {
    const { status, headers, body } = await send(world.url, '/api/quickstart', { body: { kind: 'editor' } });
    expect([status, headers.get('cache-control'), typeof body['token']]).toEqual([200, 'no-store', 'string']);
  });
});

describe('the Host header', () => {
  const world = useWorld();

  async function ask(path: string, lines: readonly string[], version = '1.1') {
    const { hostname, port } = new URL(world.url);
    const socket = connect(Number(port), hostname);
    socket.write([`GET ${path} HTTP/${version}`, ...lines, 'connection: close', '', ''].join('\r\n'));
    const [head, body] = (await text(socket)).split('\r\n\r\n') as [string, string];
    return { status: Number(head.split(' ')[1]), head, body };
  }

  const REFUSED: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['two equal Host headers', ['host: localhost', 'host: localhost'], /several Host headers/],
    ['two different Host headers', ['Host: localhost', 'HOST: example.org'], /several Host headers/],
    ['no Host header', [], /no Host header/],
    ['a Host with a path', ['host: localhost/x'], /must be a host name/],
    ['a Host with a user', ['host: me@localhost'], /must be a host name/],
    ['a Host with a space', ['host: localhost, example.org'], /must be a host name/],
  ];

  test.each(REFUSED)('refuses a request with %s', async (_case, lines, sentence) => {
    for (const path of ['/api/health/live', '/api/feed', '/nothing/there', '/openapi.json']) {
      const { status, head, body } = await ask(path, lines);
      expect([path, status]).toEqual([path, 400]);
      expect(head).toMatch(/^x-request-id: /m);
      const failure = JSON.parse(body) as JsonObject;
      expect(failure).toMatchObject({ ok: false, code: 'http', retryable: false });
      expect(failure['error']).toMatch(sentence);
    }
  });

  test.each([
    ['a name and a port', ['host: Agents.example.org:443'], '1.1'],
    ['an IPv6 address', ['host: [::1]:3000'], '1.1'],
    ['no Host in HTTP/1.0', [], '1.0'],
  ])('accepts a request with %s', async (_case, lines, version) => {
    expect((await ask('/api/health/live', lines, version)).status).toBe(200);
  });
});

describe('methods', () => {
  const world = useWorld();

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

  /** CONNECT has no path, OPTIONS belongs to the browser, and the others get a response. */
  const ANSWERED = new Set(['CONNECT', 'OPTIONS', 'GET', 'HEAD']);

  test.each(METHODS.filter(method => !ANSWERED.has(method)))('%s on a read is refused', async method => {
    for (const path of ['/api/feed', '/api/role/a-role', '/api/events']) {
      const { status, headers, body } = await ask(method, path);
      expect([path, status, headers['allow']]).toEqual([path, 405, 'GET']);
      expect(JSON.parse(body) as JsonObject).toMatchObject({ ok: false, code: 'method_not_allowed', retryable: false });
    }
  });

  test('GET on the path of a command is refused and not looked up as an id', async () => {
    for (const method of ['GET', 'HEAD', 'PUT']) {
      const { status, headers } = await ask(method, '/api/instant/submit?x=1');
      expect([method, status, headers['allow']]).toEqual([method, 405, 'POST']);
    }
    expect(await ask('GET', '/api/instant/1')).toMatchObject({ status: 404 });
  });

  test('another method on an unknown path returns 404', async () => {
    const { status, body } = await ask('QUERY', '/api/nothing');
    expect([status, JSON.parse(body)]).toEqual([404, expect.objectContaining({ code: 'unknown_endpoint' })]);
  });

  test.each(['text/event-stream', 'application/x-ndjson'])(
    'HEAD of %s takes no stream slot and reads no events',
    async accept => {
      const { log } = world.service.stores;
      const [read, holds] = [log.readAll.bind(log), log.holds.bind(log)];
      let reads = 0;
      log.readAll = (...args) => {
        if (args[0] === LOG_START) reads += 1;
        return read(...args);
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
});

describe('requests that break off', () => {
  let world: World;
  beforeEach(async () => void (world = await World.start({ settings: { METRICS_PORT: '0' } })));
  afterEach(() => world.stop());

  const HEAD =
    'POST /api/quickstart HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 900\r\n' +
    'expect: 100-continue\r\n\r\n';

  /** Resolves once the service answers `100 Continue`: it has begun to read the request. */
  async function sending(text: string): Promise<Socket> {
    const { hostname, port } = new URL(world.url);
    const socket = connect(Number(port), hostname);
    socket.write(text);
    await once(socket, 'data');
    return socket;
  }

  async function failures(): Promise<{ readonly [code: string]: number }> {
    const text = await (await fetch(`${world.service.metricsUrl}/metrics`)).text();
    const counters = [...text.matchAll(/^refusals_total\{code="(\w+)"\} (\d+)$/gm)];
    return Object.fromEntries(counters.map(([, code, count]) => [code, Number(count)]));
  }

  test('count as client errors and write nothing to the error log', async () => {
    const newErrors = watchErrors();
    let sent = 0;
    // A request that breaks off before the service reads its body may not be counted, and none is counted twice.
    await waitUntil(async () => {
      (await sending(`${HEAD}{"kind":`)).destroy();
      sent += 1;
      return Object.values(await failures()).reduce((sum, count) => sum + count, 0) >= 5;
    });
    const { http: counted, ...others } = await failures();
    expect(others).toEqual({});
    expect(counted).toBeLessThanOrEqual(sent);
    expect(newErrors()).toEqual([]);
  });
});
