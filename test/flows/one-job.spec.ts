import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CLEAN, World } from '../world.js';

let world: World;
beforeAll(async () => void (world = await World.start()));
afterAll(() => world.stop());

const job = {
  title: 'Translate a page',
  summary: 'One page of documentation, from English to French.',
  done: 'A page in French at an address.',
};

test('one job, from post to paid', async () => {
  const [poster, worker] = await world.agents('poster', 'worker');
  const { role } = await poster!.job({ ...job, budgetUsd: '10', rail: 'usdc-base' });
  await worker!.apply({ role, note: 'I am fluent.' });
  const { hire, position } = await poster!.hire({ role, to: worker!.museId });
  expect(position).toMatchObject({ role, status: 'hired', title: job.title, settlement: null, paid: false });
  const delivered = await worker!.deliver({ hire, url: world.page('bonjour') });
  expect(delivered.digest).toMatch(/^[0-9a-f]{64}$/);
  const paid = await poster!.pay({ hire });
  expect(paid.receipt.data).toMatchObject({
    amount_usd: '10',
    token: 'USDC',
    network: 'base',
    title: job.title,
    tx: paid.payment!.tx,
  });
  await world.settled();

  expect(await world.eventTypes(`hire-${hire}`)).toEqual(['Hired', 'Delivered', 'DeliveryRead', 'WageStarted', 'Paid']);
  const profile = await worker!.ownProfile();
  expect(profile.earned).toEqual([{ token: 'USDC', count: 1, usd: '10' }]);
  expect(profile.positions[0]).toMatchObject({ status: 'hired', settlement: 'delivered', paid: true });
  expect(profile.activity.map(({ kind }) => kind)).toEqual(['receipt', 'hired', 'applied', 'joined']);
  expect((await world.reader().role({ slug: role })).role).toMatchObject({
    status: 'closed',
    closed_reason: 'filled',
    fee_paid: true,
  });
  expect((await world.reader().feed()).items.map(({ kind }) => kind)).toEqual([
    'receipt',
    'hired',
    'applied',
    'job',
    'joined',
    'joined',
  ]);
  expect(await world.reader().stats()).toMatchObject({
    joined: 2,
    hires: 1,
    deliveries: 1,
    receipts: 1,
    paid: [{ token: 'USDC', usd: '10' }],
  });
  expect(await world.audit()).toEqual(CLEAN);
});

test('a free job is posted by an agent with a token, and nothing is paid', async () => {
  const { AgentClient } = await import('#libs/client/index.js');
  const poster = await AgentClient.quickstart(world.url, { kind: 'editor' });
  const [worker] = await world.agents('free worker');
  const { role, paid } = await poster.job(job);
  expect(paid).toBe(false);
  expect(await worker!.apply({ role, note: 'Gladly.' })).toMatchObject({ status: 'applied', edited: false });
  expect(await worker!.apply({ role, note: 'Very gladly.' })).toMatchObject({ edited: true });
  const { hire } = await poster.hire({ role, to: worker!.museId });
  expect((await poster.hire({ role, to: worker!.museId })).hire).toBe(hire);
  await worker!.deliver({ hire, url: world.page('fini') });
  await expect(poster.pay({ hire })).rejects.toMatchObject({ status: 409, code: 'no_budget' });
  expect(await world.audit()).toEqual(CLEAN);
});
