import { beforeAll, describe, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { JOB, type RawAgent, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { waitUntil } from '../wait-until.js';
import { operatorBeside } from './operator-beside.js';

const world = useWorld();
let poster: RawAgent;
let worker: RawAgent;
beforeAll(async () => {
  [poster, worker] = await world.raws('poster', 'worker');
});

const REASON = 'The page is not in French as agreed.';
const PAID = { budget_usd: '10' };
const deliver = (hire: string, by = worker) => by.ok('deliver', { hire, url: world.page(`done ${hire}`) });
const suspend = (command: string, { museId }: RawAgent) =>
  operatorBeside(world, [command, museId, '--reason', 'posts the same again']);

async function delivered(terms = {}, by = poster, to = worker) {
  const hired = await by.hire(to, { ...PAID, ...terms });
  await deliver(hired.hire, to);
  return hired;
}

async function accepted(terms = {}, by = poster, to = worker) {
  const hired = await delivered(terms, by, to);
  await by.ok('accept', { hire: hired.hire });
  return hired;
}

async function statesOf(hire: string): Promise<readonly unknown[]> {
  const dues = (await world.events()).filter(({ type, stream }) => type === 'WageDue' && stream === `hire-${hire}`);
  return dues.map(({ data }) => (data as { readonly state: string }).state);
}

const says = (hire: string, ...states: readonly string[]) =>
  waitUntil(async () => JSON.stringify(await statesOf(hire)) === JSON.stringify(states));

const noticesOf = async (agent: RawAgent, hire: string) =>
  (await world.inboxOf(agent)).filter(item => item['kind'] === 'payment_due' && item['hire'] === Number(hire));

const statsOf = async (role: string) => {
  const { role: record } = (await world.read(`/api/role/${role}`)) as unknown as {
    readonly role: { readonly poster_stats: JsonObject };
  };
  const { overdue, paid_on_time } = record.poster_stats;
  return { overdue, paid_on_time };
};

describe('a wage with a pay term', () => {
  test('is due, due soon and overdue, and is paid late', async () => {
    const [late] = await world.raws('late');
    const { role, hire } = await delivered({}, late);
    const before = await world.hireOf(worker, hire);
    const { at } = before['delivery'] === null ? { at: 0 } : { at: Number(before['updated_at']) };
    expect(before).toMatchObject({ pay_within_days: 3, overdue: false, paid_on_time: null });
    expect(Math.abs(Number(before['due_at']) - (at + 10 * DAY_MS))).toBeLessThan(HOUR_MS);
    const { body } = await late.ok('accept', { hire });
    const due_at = (body['acceptance'] as { readonly at: number }).at + 3 * DAY_MS;
    expect(await world.hireOf(worker, hire)).toMatchObject({ due_at, overdue: false });
    await says(hire, 'due');
    await world.advance(2 * DAY_MS + HOUR_MS);
    await says(hire, 'due', 'soon');
    expect(await noticesOf(worker, hire)).toEqual([]);
    expect(await statsOf(role)).toEqual({ overdue: 0, paid_on_time: null });
    await world.advance(DAY_MS);
    await says(hire, 'due', 'soon', 'overdue');
    const notice = { hire: Number(hire), role, due_at, amount_usd: '10', title: JOB.title };
    expect(await noticesOf(late, hire)).toMatchObject([
      { ...notice, state: 'due' },
      { ...notice, state: 'soon' },
      { ...notice, state: 'overdue' },
    ]);
    expect(await noticesOf(worker, hire)).toMatchObject([{ ...notice, state: 'overdue' }]);
    expect(await world.hireOf(worker, hire)).toMatchObject({ due_at, overdue: true, paid_on_time: false });
    expect(await statsOf(role)).toEqual({ overdue: 1, paid_on_time: 0 });
    await late.buy('pay', { hire });
    expect(await world.hireOf(worker, hire)).toMatchObject({ overdue: false, paid_on_time: false });
    expect(await statsOf(role)).toEqual({ overdue: 0, paid_on_time: 0 });
  });

  test('is paid on time, and nothing more is said', async () => {
    const [punctual] = await world.raws('punctual');
    const { role, hire } = await accepted({ pay_within_days: '1' }, punctual);
    await says(hire, 'due');
    await punctual.buy('pay', { hire });
    await world.advance(5 * DAY_MS);
    expect(await world.hireOf(worker, hire)).toMatchObject({ pay_within_days: 1, overdue: false, paid_on_time: true });
    expect(await statsOf(role)).toEqual({ overdue: 0, paid_on_time: 100 });
    expect(await statesOf(hire)).toEqual(['due']);
    expect(JSON.stringify(await world.read(`/api/record/hire/${hire}`))).toContain('pay_within_days\\":1');
  });

  test('stops during a dispute', async () => {
    const { hire } = await accepted();
    await worker.ok('dispute', { hire, reason: REASON });
    expect(await world.hireOf(worker, hire)).toMatchObject({ due_at: null, overdue: false });
    await world.advance(3 * DAY_MS + HOUR_MS);
    const now = world.now();
    await worker.ok('dispute', { hire, withdraw: 'true' });
    const { due_at, overdue } = await world.hireOf(worker, hire);
    expect([Number(due_at) >= now + DAY_MS, overdue]).toEqual([true, false]);
    await world.advance(DAY_MS + HOUR_MS);
    await waitUntil(async () => (await statesOf(hire)).includes('overdue'));
  });

  test('stops while its poster is suspended', async () => {
    const [leaving] = await world.raws('suspended');
    const { hire } = await accepted({}, leaving);
    await says(hire, 'due');
    await suspend('suspend', leaving);
    expect(await world.hireOf(worker, hire)).toMatchObject({ due_at: null, overdue: false });
    await world.advance(4 * DAY_MS);
    const now = world.now();
    await suspend('reinstate', leaving);
    expect(Number((await world.hireOf(worker, hire))['due_at'])).toBeGreaterThanOrEqual(now + DAY_MS);
    await says(hire, 'due', 'soon');
    await world.advance(DAY_MS + HOUR_MS);
    await says(hire, 'due', 'soon', 'overdue');
  });

  test('stops while the worker has no wallet', async () => {
    const [homeless] = await world.raws('homeless');
    await homeless.ok('profile', { payout_address: '' });
    const { hire } = await accepted({}, poster, homeless);
    await world.advance(4 * DAY_MS);
    expect(await world.hireOf(homeless, hire)).toMatchObject({ due_at: null, overdue: false, paid_on_time: null });
    const now = world.now();
    await homeless.ok('profile', { payout_address: homeless.wallet.address });
    expect(Number((await world.hireOf(homeless, hire))['due_at'])).toBeGreaterThanOrEqual(now + DAY_MS);
    await says(hire, 'soon');
  });

  test('begins again with the answer to a revision', async () => {
    const { hire } = await delivered();
    const { due_at } = await world.hireOf(worker, hire);
    await poster.ok('revise', { hire, text: 'Please translate the second paragraph too.' });
    expect(await world.hireOf(worker, hire)).toMatchObject({ due_at });
    await world.advance(10 * DAY_MS + HOUR_MS);
    await says(hire, 'overdue');
    const now = world.now();
    await deliver(hire);
    const again = await world.hireOf(worker, hire);
    expect(Number(again['due_at'])).toBeGreaterThanOrEqual(now + 10 * DAY_MS);
    expect(again).toMatchObject({ overdue: false, paid_on_time: null });
  });
});

describe('days to pay', () => {
  const shown = async (role: string) => (await world.read(`/api/role/${role}`))['role'];

  test('are null for a free and an escrowed job, and taken from an earlier one', async () => {
    const free = await poster.hire(worker);
    await deliver(free.hire);
    await poster.ok('accept', { hire: free.hire });
    const none = { pay_within_days: null, due_at: null, overdue: false, paid_on_time: null };
    expect(await world.hireOf(worker, free.hire)).toMatchObject(none);
    const role = await poster.postJob({ ...PAID, pay_within_days: '9' });
    const again = textOf(await poster.buy('job', { again_of: role }), 'role');
    const delegated = await poster.buy('delegate', { task: 'Translate this page.', ...PAID, pay_within_days: '30' });
    const escrowed = textOf(await poster.buy('job', { again_of: role, escrow: 'true' }), 'role');
    await world.settle();
    expect(await shown(role)).toMatchObject({ pay_within_days: 9 });
    expect(await shown(again)).toMatchObject({ pay_within_days: 9 });
    expect(await shown(textOf(delegated, 'role'))).toMatchObject({ pay_within_days: 30 });
    expect(await shown(escrowed)).toMatchObject({ pay_within_days: null });
    expect(await shown(free.role)).toMatchObject({ pay_within_days: null });
  });

  test('are refused without a budget, with an escrow, and outside of 1 to 30', async () => {
    const refused = { status: 400, body: { code: 'pay_within_days', field: 'pay_within_days' } };
    for (const fields of [
      { pay_within_days: '3' },
      { ...PAID, pay_within_days: '0' },
      { ...PAID, pay_within_days: '31' },
      { ...PAID, escrow: 'true', pay_within_days: '3' },
    ])
      expect(await poster.post('job', { ...JOB, ...fields })).toMatchObject(refused);
    const task = { task: 'Translate this page.', pay_within_days: '3' };
    expect(await poster.post('delegate', task)).toMatchObject(refused);
  });
});
