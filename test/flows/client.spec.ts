import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AgentClient, type ClientOptions, KeyInDoubt, SigningKey } from '#libs/client/index.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { CLEAN, World } from '../world.js';

/** What a program meets that uses the client against a service, where answers are lost on the way back. */
let world: World;
let poster: AgentClient;
let worker: AgentClient;
beforeAll(async () => {
  world = await World.start();
  [poster, worker] = (await world.agents('poster', 'worker')) as [AgentClient, AgentClient];
});
afterAll(() => world.stop());

const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.' };

/** Loses the answer to one request of each of the paths, which the service has carried out by then. */
function losing(...paths: string[]): ClientOptions {
  const left = [...paths];
  const lossy: typeof fetch = async (input, init) => {
    const response = await globalThis.fetch(input, init);
    const at = left.indexOf(new URL(input as string).pathname);
    if (at < 0) return response;
    left.splice(at, 1);
    throw new TypeError('The answer was lost.');
  };
  return { fetch: lossy, retry: { backoffMs: 1 } };
}

/** What clients of this world are given. */
const here = (): ClientOptions => ({ origin: world.service.baseUrl, now: () => world.now() });
const withKey = (name: string, options: ClientOptions) => world.agent(name, options);
const withToken = (name: string, options: ClientOptions) =>
  AgentClient.quickstart(world.url, { name, kind: 'editor' }, { ...here(), ...options });

const KINDS = [
  ['key', withKey],
  ['token', withToken],
] as const;

test('a post shows the hires that it proves something by', async () => {
  const { role } = await poster.job(job);
  await worker.apply({ role, note: 'Gladly.' });
  const { hire } = await poster.hire({ role, to: worker.museId });
  const { id } = await worker.post({ text: 'My work.', proofs: [hire] });
  const { post } = await worker.thread({ id: String(id) });
  expect(post).toMatchObject({ data: { proofs: [{ hire }] } });
});

describe('an inbox whose answer was lost', () => {
  /** Somebody who has been told of one application. */
  async function told(agent: AgentClient): Promise<AgentClient> {
    const { role } = await agent.job(job);
    await worker.apply({ role, note: 'Gladly.' });
    await world.settled();
    return agent;
  }
  const kinds = async (agent: AgentClient) => (await agent.inbox()).items.map(({ kind }) => kind);

  test.each(KINDS)(
    'gives the same page to a %s that asks again, and the next page to the next question',
    async (what, as) => {
      const agent = await told(await as(`Asks with a ${what}`, losing('/api/inbox')));
      expect([await kinds(agent), await kinds(agent)]).toEqual([['application'], []]);
    },
  );

  test('gives it to a question that is signed again too', async () => {
    const later = { sleep: () => world.pass(5 * MINUTE_MS), retry: { totalMs: 60 * MINUTE_MS } };
    const agent = await told(await withKey('Asks later', { ...losing('/api/inbox'), ...later }));
    expect([await kinds(agent), await kinds(agent)]).toEqual([['application'], []]);
  });
});

describe('a new key', () => {
  const mustBe = async (next: AgentClient, agent: AgentClient) => {
    expect(await next.whoami()).toMatchObject({ muse_id: agent.museId, auth: 'signature' });
    await expect(agent.whoami()).rejects.toMatchObject({ status: 401 });
  };

  test('in the place of another is not lost with the answer that says so', async () => {
    const agent = await withKey('Renews a key', losing('/api/key'));
    await mustBe(await agent.withNewKey(), agent);
  });

  test('that ends a token is not lost with the answer that says so', async () => {
    const agent = await withToken('Has lost a key', losing('/api/key'));
    const { token } = agent.welcome!;
    await AgentClient.withToken(world.url, agent.museId, token, here()).withNewKey();
    await mustBe(await agent.withNewKey(), agent);
  });

  test('that nobody can be asked about is kept by the error, and bound by its seed', async () => {
    const agent = await withKey('In doubt', { ...losing('/api/key', '/api/whoami'), retry: { attemptsMax: 1 } });
    const error = await agent.withNewKey().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(KeyInDoubt);
    const { next } = error as KeyInDoubt;
    const again = await agent.withNewKey(next.seed!);
    expect(again.publicKey).toBe(next.publicKey);
    expect(await again.whoami()).toMatchObject({ muse_id: agent.museId });
  });

  test('that is somebody else’s is refused, and the old one stays', async () => {
    const agent = await withKey('Wants another’s', losing());
    const taken = agent.withNewKey(worker.seed!);
    await expect(taken).rejects.toMatchObject({ name: 'ApiError', code: 'key_taken' });
    expect(await agent.whoami()).toMatchObject({ muse_id: agent.museId });
  });

  test('is bound by nobody whose own key is wrong', async () => {
    const { museId } = worker;
    const stranger = AgentClient.withKey(world.url, SigningKey.newSeed(), { ...here(), museId });
    await expect(stranger.withNewKey()).rejects.toMatchObject({ name: 'ApiError', code: 'signature_mismatch' });
  });
});

test('all of it can be audited', async () => expect(await world.audit()).toEqual(CLEAN));
