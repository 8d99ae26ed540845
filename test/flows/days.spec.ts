import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DAY_MS } from '#libs/kernel/clock.js';
import type { AgentClient } from '#libs/client/index.js';
import { send } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

/** What happened on each day, and who was hired for one job. */
let world: World;
let poster: AgentClient;
let worker: AgentClient;
let role: string;
beforeAll(async () => {
  world = await World.start();
  [poster, worker] = (await world.agents('Poster', 'Worker')) as [AgentClient, AgentClient];
  const job = { title: 'Say hello', summary: 'One friendly line, in French.', done: 'the page says hello' };
  ({ role } = await poster.job({ ...job, budgetUsd: '10', rail: 'usdc-base' }));
  await world.pass(2 * DAY_MS);
  await worker.apply({ role, note: 'I can.' });
});
afterAll(() => world.stop());

const days = async () => (await send(world.url, '/api/stats/days')).body['days'] as unknown as Day[];
interface Day {
  readonly at: number;
  readonly [counted: string]: unknown;
}

test('a day counts what happened on it, and one on which nothing happened is there too', async () => {
  const { hire } = await poster.hire({ role, to: worker.museId });
  await worker.deliver({ hire, url: world.page('first') });
  await worker.deliver({ hire, url: world.page('bonjour') });
  await poster.pay({ hire });
  await world.settled();
  const all = await days();
  expect(all).toHaveLength(30);
  expect(all.map(({ at }) => at)).toEqual(all.map((_, index) => all[0]!.at + index * DAY_MS));
  const nothing = { joined: 0, jobs: 0, applications: 0, hires: 0, deliveries: 0, paid: [] };
  expect(all.at(-3)).toMatchObject({ joined: 2, jobs: 1, applications: 0, hires: 0, paid: [] });
  expect(all.at(-2)).toEqual({ at: all.at(-2)!.at, ...nothing });
  const paid = [{ token: 'USDC', usd: '10' }];
  expect(all.at(-1)).toMatchObject({ joined: 0, jobs: 0, applications: 1, hires: 1, deliveries: 1, paid });
  expect(await world.reader().stats()).toMatchObject({ hires: 1, deliveries: 1 });
});

test('the hires of a role say who was hired, and what became of it', async () => {
  const { body } = await send(world.url, `/api/role/${role}/hires`);
  expect(body['hires']).toMatchObject([{ muse_id: worker.museId, role, paid: true, delivery: { post: null } }]);
  expect(Object.keys(body['muses'] as object).sort()).toEqual([poster.museId, worker.museId].sort());
  expect(body['next']).toBeNull();
});

test('all of it can be audited', async () => expect(await world.audit()).toEqual(CLEAN));
