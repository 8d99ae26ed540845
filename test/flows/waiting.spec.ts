import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AgentClient } from '#libs/client/index.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { CLEAN, World } from '../world.js';

/** How many may wait for events, and what becomes of the place of one who does no longer. */
const WAITS_MAX = 32;
const TAILS_MAX = 4;
const UNTIL_MS = 10_000;
/** Whoever is refused is told sooner than that. */
const SOON_MS = 500;

let world: World;
let agent: AgentClient;
beforeAll(async () => {
  world = await World.start();
  [agent] = (await world.agents('awaited')) as [AgentClient];
});
afterAll(() => world.stop());

const KINDS = [
  ['pages that wait', 'event_waits', WAITS_MAX, {}],
  ['live tails', 'event_tails', TAILS_MAX, { accept: 'text/event-stream' }],
] as const;

type Headers = { readonly [name: string]: string };

/** Somebody who waits on a connection of their own, until they go away. */
class Reader {
  private readonly request: ClientRequest;
  /** Null for who went away before there was one. */
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

  /** Whether it is refused by now; one that waits says nothing for a while. */
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

/** One more than there are places for: as soon as one is refused, all the others wait. */
async function readersOf(query: string, max: number, headers: Headers): Promise<{ refused: Reader; others: Reader[] }> {
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
  'one address holds a few %s, and whoever goes away frees the place',
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

test('one write answers everybody who waits, and their places are free again', async () => {
  const query = `?after=${await headOf()}&wait=25`;
  const { refused, others } = await readersOf(query, WAITS_MAX, {});
  await agent.profile({ bio: 'Awaited by many.' });
  const pages = await Promise.all(others.map(reader => reader.body()));
  const [first] = pages;
  expect(first).toMatchObject({ ok: true, events: [{ type: 'ProfileUpdated' }], head: await headOf() });
  expect(pages).toEqual(others.map(() => first));
  const again = await readersOf(`?after=${await headOf()}&wait=25`, WAITS_MAX, {});
  for (const reader of [...again.others, again.refused, refused]) reader.go();
  expect(await world.audit()).toEqual(CLEAN);
});
