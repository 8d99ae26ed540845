import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { UNFINISHED_MS } from '#libs/claims/claims.js';
import { LEASE_MS } from '#libs/http/request-locks.js';
import { newIdempotencyKey, RawAgent, type Reply, send } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';
import { Child, endStandby } from './child.js';

/** Two gateways on one data folder, one of which dies or sleeps when it has claimed a name and not written whose it is. */
const CASE_TIMEOUT_MS = 60_000;
let world: World;
let child: Child;
beforeAll(async () => {
  world = await World.start();
  child = await Child.start(world.folder);
});
afterAll(async () => {
  await Promise.all([child.stop(), endStandby()]);
  await world.stop();
});

type Ask = (url: string) => Promise<Reply>;
/** A request that takes a name, and what it writes once the name is claimed. */
interface Taking {
  readonly writes: string;
  /** The same request each time it is sent. */
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

/** The muses that have ever had a name, by the log. */
async function holders(name: string): Promise<unknown[]> {
  const events = (await world.events()) as { data: { muse_id?: string; name?: unknown } }[];
  return events.filter(({ data }) => data.name === name).map(({ data }) => data.muse_id);
}

describe.each(Object.entries(WAYS))('between the claim of a name and what %s writes', (_endpoint, way) => {
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
    'a process that is killed keeps the name from others for 30 s and no longer',
    async () => {
      const name = newName();
      const ask = await way.prepare(name);
      await dies(ask);
      expect(await register(name)).toMatchObject(taken);
      await world.pass(UNFINISHED_MS);
      const winner = await register(name);
      expect(winner).toMatchObject(ok);
      expect(await ask(child.url)).toMatchObject(taken);
      expect(await holders(name)).toEqual([winner.body['muse_id']]);
    },
    CASE_TIMEOUT_MS,
  );

  test(
    'who was asked for by a process that is killed has the name by the same request again',
    async () => {
      const name = newName();
      const ask = await way.prepare(name);
      await dies(ask);
      await world.pass(LEASE_MS);
      expect(await ask(world.url)).toMatchObject(ok);
      expect(await register(name)).toMatchObject(taken);
      expect(await holders(name)).toHaveLength(1);
    },
    CASE_TIMEOUT_MS,
  );

  test(
    'a process that sleeps until another has taken the name owns nothing, and says so',
    async () => {
      const name = newName();
      const ask = await way.prepare(name);
      const [late] = await fallsAsleep(ask);
      expect(await register(name)).toMatchObject(taken);
      await world.pass(UNFINISHED_MS);
      const winner = await register(name);
      expect(winner).toMatchObject(ok);
      child.wake();
      expect(await late).toMatchObject(taken);
      expect(await holders(name)).toEqual([winner.body['muse_id']]);
    },
    CASE_TIMEOUT_MS,
  );

  test(
    'a process that sleeps while nobody takes the name has it when it wakes up',
    async () => {
      const name = newName();
      const [late] = await fallsAsleep(await way.prepare(name));
      await world.pass(UNFINISHED_MS);
      child.wake();
      expect(await late).toMatchObject(ok);
      expect(await register(name)).toMatchObject(taken);
      expect(await holders(name)).toHaveLength(1);
    },
    CASE_TIMEOUT_MS,
  );
});

test('all of it can be audited', async () => expect(await world.audit()).toEqual(CLEAN));
