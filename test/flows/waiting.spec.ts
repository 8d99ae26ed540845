import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { AgentClient } from '#libs/client/index.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

describe('requests that wait', () => {
  const WAITS_MAX = 32;
  const TAILS_MAX = 4;
  const UNTIL_MS = 10_000;
  /** Refusals arrive sooner than this. */
  const SOON_MS = 500;

  const world = useWorld();
  let agent: AgentClient;
  beforeAll(async () => {
    [agent] = (await world.agents('awaited')) as [AgentClient];
  });

  const KINDS = [
    ['waiting pages', 'event_waits', WAITS_MAX, {}],
    ['live tails', 'event_tails', TAILS_MAX, { accept: 'text/event-stream' }],
  ] as const;

  type Headers = { readonly [name: string]: string };

  /** A waiting reader with its own connection. */
  class Reader {
    private readonly request: ClientRequest;
    /** Null if the reader left before the response. */
    readonly response: Promise<IncomingMessage | null>;

    constructor(query: string, headers: Headers) {
      this.request = get(`${world.url}/api/events${query}`, { headers, agent: false });
      this.response = new Promise(resolve => {
        this.request.on('response', resolve).on('error', () => resolve(null));
      });
    }

    async body(): Promise<JsonObject> {
      return JSON.parse(await text((await this.response)!)) as JsonObject;
    }

    /** Returns whether the request is refused; a waiting request stays silent. */
    async isRefused(waitMs: number): Promise<boolean> {
      const soon = new Promise<null>(resolve => setTimeout(resolve, waitMs, null));
      return (await Promise.race([this.response, soon]))?.statusCode === 429;
    }

    go(): void {
      this.request.destroy();
    }
  }

  async function until(holds: () => Promise<boolean>): Promise<void> {
    for (const end = Date.now() + UNTIL_MS; !(await holds());) {
      if (Date.now() > end) throw new Error('It did not come to that in time.');
    }
  }

  const headOf = async () => ((await (await fetch(`${world.url}/api/events?limit=1`)).json()) as { head: string }).head;

  /** Opens one reader more than allowed. The others wait once it is refused. */
  async function readersOf(
    query: string,
    max: number,
    headers: Headers,
  ): Promise<{ refused: Reader; others: Reader[] }> {
    const readers = Array.from({ length: max + 1 }, () => new Reader(query, headers));
    const refused = await Promise.any(
      readers.map(async reader => {
        if ((await reader.response)?.statusCode === 429) return reader;
        throw new Error('It was not refused.');
      }),
    );
    return { refused, others: readers.filter(reader => reader !== refused) };
  }

  test.each(KINDS)(
    'an address is limited in %s, and a reader that leaves frees its place',
    async (_what, limit, max, accept) => {
      const query = `?after=${await headOf()}&wait=25`;
      const { refused, others } = await readersOf(query, max, accept);
      expect((await refused.response)!.headers['retry-after']).toBe('15');
      expect(await refused.body()).toMatchObject({ code: 'rate_limited', limit, retry_after: 15 });
      const head = await fetch(`${world.url}/api/events${query}`, { method: 'HEAD', headers: accept });
      expect(head.status).toBe(200);
      expect(await headOf()).toEqual(expect.any(String));
      others[0]!.go();
      await until(async () => {
        const next = new Reader(query, accept);
        others.push(next);
        return !(await next.isRefused(SOON_MS));
      });
      for (const reader of others) reader.go();
    },
  );

  test('a write completes all waiting requests and frees their places', async () => {
    const query = `?after=${await headOf()}&wait=25`;
    const { refused, others } = await readersOf(query, WAITS_MAX, {});
    await agent.profile({ bio: 'Awaited by many.' });
    const pages = await Promise.all(others.map(reader => reader.body()));
    const [first] = pages;
    expect(first).toMatchObject({ ok: true, events: [{ type: 'ProfileUpdated' }], head: await headOf() });
    expect(pages).toEqual(others.map(() => first));
    const again = await readersOf(`?after=${await headOf()}&wait=25`, WAITS_MAX, {});
    for (const reader of [...again.others, again.refused, refused]) reader.go();
  });
});

describe('pipelined requests that wait', () => {
  const SENT_MS = 500;
  const FREED_MS = 5_000;
  const LOOK_MS = 50;

  const world = useWorld();
  let token: string;
  beforeAll(async () => {
    const { body } = await send(world.url, '/api/quickstart', { body: { name: 'Waiter', kind: 'publisher' } });
    token = (body as { token: string }).token;
  });

  interface Asked {
    readonly path: string;
    readonly headers: { readonly [name: string]: string };
    readonly body?: string;
  }

  function textOf({ path, headers, body }: Asked): string {
    const all = { host: 'localhost', ...headers, ...(body !== undefined && { 'content-length': String(body.length) }) };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    return [`${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`, ...lines, '', body ?? ''].join('\r\n');
  }

  async function sendAndLeave(request: Asked, times: number): Promise<void> {
    const { hostname, port } = new URL(world.url);
    const socket = connect(Number(port), hostname);
    socket.write(textOf(request).repeat(times));
    await pause(SENT_MS);
    socket.destroy();
  }

  /** Counts the requests that are accepted when sent in parallel on their own connections. */
  async function accepted({ path, headers, body }: Asked, times: number): Promise<number> {
    const aborting = new AbortController();
    const { signal } = aborting;
    const refusals: number[] = [];
    for (let n = 0; n < times; n += 1) {
      const asking = fetch(`${world.url}${path}`, {
        headers,
        signal,
        ...(body !== undefined && { method: 'POST', body }),
      });
      asking.then(({ status }) => status === 429 && refusals.push(n)).catch(() => undefined);
    }
    await pause(SENT_MS);
    aborting.abort();
    return times - refusals.length;
  }

  const headOf = async () => ((await (await fetch(`${world.url}/api/events?limit=1`)).json()) as { head: string }).head;

  const KINDS: readonly (readonly [number, string, () => Promise<Asked>])[] = [
    [4, 'live tails', async () => ({ path: '/api/events', headers: { accept: 'text/event-stream' } })],
    [32, 'waiting pages', async () => ({ path: `/api/events?after=${await headOf()}&wait=25`, headers: {} })],
    [
      4,
      'waiting inboxes',
      async () => ({
        path: '/api/inbox',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{"wait":"25"}',
      }),
    ],
  ];

  test.each(KINDS)(
    'a closed connection frees the places of its %i pipelined %s',
    async (places, _kind, makeRequest) => {
      const request = await makeRequest();
      await sendAndLeave(request, places);
      const until = Date.now() + FREED_MS;
      let free = await accepted(request, places);
      while (free < places && Date.now() < until) {
        await pause(LOOK_MS);
        free = await accepted(request, places);
      }
      expect(free).toBe(places);
    },
  );
});
