import { expect, test } from '@jest/globals';
import { JOB, send, textOf } from '../raw-agent.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();

test('a job with an escrow shows its terms, and what is left undecided', async () => {
  const poster = await world.raw('Poster');
  const role = await poster.postJob({ budget_usd: '10', escrow: 'true', work_days: '2' });
  const repeated = textOf(await poster.buy('job', { again_of: role }), 'role');
  await world.settle();
  const escrow = { work_days: 2, review_days: 3, arbiter: null, undecided: 'returned' };
  for (const slug of [role, repeated])
    expect((await world.read(`/api/role/${slug}`))['role']).toMatchObject({ escrow, fee_paid: true });
  const plain = await poster.postJob();
  await world.settle();
  expect((await world.read(`/api/role/${plain}`))['role']).toMatchObject({ escrow: null });
});

test('a rail without an escrow is refused before any offer is made', async () => {
  const poster = await world.raw('Payer');
  const fields = { ...JOB, budget_usd: '10', rail: 'usdg-robinhood', escrow: 'true' };
  for (const { status, body } of [
    await poster.post('job', fields),
    await send(world.url, '/api/job', { body: fields }),
  ])
    expect([status, body]).toMatchObject([400, { code: 'escrow_not_offered', field: 'escrow' }]);
  const task = { task: 'Translate this page.', budget_usd: '10', escrow: 'true', deliver_hours: '30' };
  const bought = await poster.buy('delegate', task);
  await world.settle();
  expect((await world.read(`/api/role/${textOf(bought, 'role')}`))['role']).toMatchObject({ escrow: { work_days: 2 } });
});
