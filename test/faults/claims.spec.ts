import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { UNFINISHED_CLAIM_MS } from '#libs/claims/claims.js';
import { LEASE_MS } from '#libs/http/request-locks.js';
import { newIdempotencyKey, RawAgent, type Reply, send } from '../raw-agent.js';
import { CLEAN, type World } from '../world.js';
import { Child, startPair, stopPair } from './child.js';

/** Tests two gateways on the same data folder. One dies or sleeps between claiming a name and using it. */
const CASE_TIMEOUT_MS = 60_000;
let world: World;
let child: Child;
beforeAll(async () => void ([world, child] = await startPair()));
afterAll(() => stopPair(world, child));

type Ask = (url: string) => Promise<Reply>;
interface Taking {
  readonly writes: string;
  /** Returns a function that sends the identical request. */
  prepare(name: string): Promise<Ask>;
}

let made = 0;
const newName = () => `Sought ${(made += 1)}`;
const newAgent = () => new RawAgent(world.url, () => world.now());
const signedBy = (agent: RawAgent, path: string, fields: { [name: string]: string }): Ask => {
  const body = agent.signed(path, fields);
  return url => send(url, `/api/${path}`, { body });
};
const register = (name: string) => signedBy(newAgent(), 'register', { name, headline: 'h' })(world.url);
const WAYS: { readonly [endpoint: string]: Taking } = {
  register: {
    writes: 'Registered',
    prepare: name => Promise.resolve(signedBy(newAgent(), 'register', { name, headline: 'h' })),
  },
  quickstart: {
    writes: 'Registered',
    prepare(name) {
      const headers = { 'idempotency-key': newIdempotencyKey() };
      return Promise.resolve(url => send(url, '/api/quickstart', { body: { name }, headers }));
    },
  },
  profile: {
    writes: 'ProfileUpdated',
    prepare: async name => signedBy(await world.raw(newName()), 'profile', { name }),
  },
};

const ok = { status: 200, body: { ok: true } };
const free = expect.any(String);
const taken = { status: 409, body: { code: 'name_taken', suggestions: [free, free, free] } };

async function holders(name: string): Promise<unknown[]> {
  const events = (await world.events()) as { data: { muse_id?: string; name?: unknown } }[];
  return events.filter(({ data }) => data.name === name).map(({ data }) => data.muse_id);
}

describe.each(Object.entries(WAYS))('between the claim of a name and the write of %s', (_endpoint, way) => {
  const point = `[before ${way.writes}]`;

  async function dies(ask: Ask): Promise<void> {
    child.dieAt(point);
    await expect(ask(child.url)).rejects.toThrow();
    await child.ended;
    child = await Child.start(world.folder);
  }

  async function fallsAsleep(ask: Ask): Promise<[answer: Promise<Reply>]> {
    child.sleepAt(point);
    const answer = ask(child.url);
    await child.asleep();
    return [answer];
  }

  test(
    'a killed process reserves the name for 30 s and no longer',
    async () => {
      const name = newName();
      const ask = await way.prepare(name);
      await dies(ask);
      expect(await register(name)).toMatchObject(taken);
      await world.advance(UNFINISHED_CLAIM_MS);
      const winner = await register(name);
      expect(winner).toMatchObject(ok);
      expect(await ask(child.url)).toMatchObject(taken);
      expect(await holders(name)).toEqual([winner.body['muse_id']]);
    },
    CASE_TIMEOUT_MS,
  );

  test(
    'the request of a killed process gets the name when it is repeated',
    async () => {
      const name = newName();
      const ask = await way.prepare(name);
      await dies(ask);
      await world.advance(LEASE_MS);
      expect(await ask(world.url)).toMatchObject(ok);
      expect(await register(name)).toMatchObject(taken);
      expect(await holders(name)).toHaveLength(1);
    },
    CASE_TIMEOUT_MS,
  );

  test(
    'a process that sleeps until the name is taken gets an error',
    async () => {
      const name = newName();
      const ask = await way.prepare(name);
      const [late] = await fallsAsleep(ask);
      expect(await register(name)).toMatchObject(taken);
      await world.advance(UNFINISHED_CLAIM_MS);
      const winner = await register(name);
      expect(winner).toMatchObject(ok);
      child.wake();
      expect(await late).toMatchObject(taken);
      expect(await holders(name)).toEqual([winner.body['muse_id']]);
    },
    CASE_TIMEOUT_MS,
  );

  test(
    'a process that sleeps while the name stays free gets it on waking up',
    async () => {
      const name = newName();
      const [late] = await fallsAsleep(await way.prepare(name));
      await world.advance(UNFINISHED_CLAIM_MS);
      child.wake();
      expect(await late).toMatchObject(ok);
      expect(await register(name)).toMatchObject(taken);
      expect(await holders(name)).toHaveLength(1);
    },
    CASE_TIMEOUT_MS,
  );
});

test('the log of two processes that claim things passes the audit', async () =>
  expect(await world.audit()).toEqual(CLEAN));
