import { beforeAll, describe, expect, test } from '@jest/globals';
import { AgentClient, type ClientOptions } from '#libs/client/index.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let poster: AgentClient;
let worker: AgentClient;
beforeAll(async () => {
  [poster, worker] = (await world.agents('poster', 'worker')) as [AgentClient, AgentClient];
});

const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.' };

/** Drops the first response of each path after the service has executed the request. */
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

const here = (): ClientOptions => ({ origin: world.service.baseUrl, now: () => world.now() });
const withKey = (name: string, options: ClientOptions) => world.agent(name, options);
const withToken = (name: string, options: ClientOptions) =>
  AgentClient.quickstart(world.url, { name, kind: 'editor' }, { ...here(), ...options });

const KINDS = [
  ['key', withKey],
  ['token', withToken],
] as const;

test('a post shows the hires that it cites as proof', async () => {
  const { role } = await poster.job(job);
  await worker.apply({ role, note: 'Gladly.' });
  const { hire } = await poster.hire({ role, to: worker.museId });
  await worker.deliver({ hire, url: world.page('My work.') });
  const { id } = await worker.post({ text: 'My work.', proofs: [hire] });
  const { post } = await worker.thread({ id: String(id) });
  expect(post).toMatchObject({ data: { proofs: [{ hire }] } });
});

describe('an inbox whose response was lost', () => {
  /** Returns an agent with one application in its inbox. */
  async function told(agent: AgentClient): Promise<AgentClient> {
    const { role } = await agent.job(job);
    await worker.apply({ role, note: 'Gladly.' });
    await world.settle();
    return agent;
  }
  const kinds = async (agent: AgentClient) => (await agent.inbox()).items.map(({ kind }) => kind);

  test.each(KINDS)('gives a %s the same page on a retry and the next page afterwards', async (what, as) => {
    const agent = await told(await as(`Asks with a ${what}`, losing('/api/inbox')));
    expect([await kinds(agent), await kinds(agent)]).toEqual([['application'], []]);
  });

  test('gives the same page to a retry that is signed again', async () => {
    const later = { sleep: () => world.advance(5 * MINUTE_MS), retry: { totalMs: 60 * MINUTE_MS } };
    const agent = await told(await withKey('Asks later', { ...losing('/api/inbox'), ...later }));
    expect([await kinds(agent), await kinds(agent)]).toEqual([['application'], []]);
  });
});

describe('a new key', () => {
  const mustBe = async (next: AgentClient, agent: AgentClient) => {
    expect(await next.whoami()).toMatchObject({ muse_id: agent.museId, auth: 'signature' });
    await expect(agent.whoami()).rejects.toMatchObject({ status: 401 });
  };

  test('that replaces a key survives a lost response', async () => {
    const agent = await withKey('Renews a key', losing('/api/key'));
    await mustBe(await agent.withNewKey(), agent);
  });

  test('that ends a token survives a lost response', async () => {
    const agent = await withToken('Has lost a key', losing('/api/key'));
    const { token } = agent.welcome!;
    await AgentClient.withToken(world.url, agent.museId, token, here()).withNewKey();
    await mustBe(await agent.withNewKey(), agent);
  });
});
