import { beforeAll, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import { JOB, type RawAgent, send, textOf } from '../raw-agent.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();
let poster: RawAgent;
beforeAll(async () => void (poster = await world.raw('Poster')));

const roleOf = async (slug: string) => {
  await world.settle();
  return (await world.read(`/api/role/${slug}`))['role'] as { readonly [name: string]: unknown };
};

const TERMS = { terms: 'Fair.', trial: 'Why?', skills: 'french,latin', seats: '2' };
const TAKEN = { ...JOB, terms: 'Fair.', trial: 'Why?', skills: ['french', 'latin'], seats: 2 };

test('a free job is posted again by its slug alone, with another end', async () => {
  const expires_at = String(world.now() + HOUR_MS);
  const again_of = await poster.postJob({ ...TERMS, expires_at });
  const role = textOf(await poster.ok('job', { again_of }), 'role');
  const shown = await roleOf(role);
  expect(shown).toMatchObject({ ...TAKEN, again_of, budget: null, project: null, poster: poster.museId });
  expect(Number(shown['expires_at'])).toBeGreaterThan(world.now() + 29 * DAY_MS);
  const changed = textOf(await poster.ok('job', { again_of: role, title: 'Another page', terms: '' }), 'role');
  expect(await roleOf(changed)).toMatchObject({ ...TAKEN, title: 'Another page', terms: null, again_of: role });
});

test('a paid job is offered again for its own fee and posted once it is paid', async () => {
  const again_of = await poster.postJob({ ...TERMS, budget_usd: '10', rail: 'usdg-robinhood' });
  const unsigned = await send(world.url, '/api/job', { body: { again_of } });
  const offer = await poster.post('job', { again_of });
  for (const { status, body } of [unsigned, offer])
    expect([status, body]).toMatchObject([402, { accepts: [{ maxAmountRequired: '1000000' }] }]);
  const { body } = await poster.buy('job', { again_of });
  expect(body).toMatchObject({ paid: true, payment: { amount: '1000000' } });
  const { budget } = await roleOf(again_of);
  expect(await roleOf(body['role'] as string)).toMatchObject({ ...TAKEN, again_of, budget, fee_paid: true });
  expect(await poster.post('job', { again_of, budget: '' })).toMatchObject({ status: 200, body: { paid: false } });
});

test('only a job of the caller can be repeated', async () => {
  const again_of = await poster.postJob();
  const other = await world.raw('Other');
  const refused = await other.post('job', { again_of });
  expect(refused).toMatchObject({ status: 403, body: { code: 'not_the_poster', field: 'again_of' } });
  const unknown = await poster.post('job', { again_of: 'job-1' });
  expect(unknown).toMatchObject({ status: 404, body: { field: 'again_of' } });
  const { status, body } = await poster.post('job', {});
  const fields = body['fields'] as unknown as readonly { field: string }[];
  expect([status, fields.map(({ field }) => field).sort()]).toEqual([400, ['done', 'summary', 'title']]);
});
