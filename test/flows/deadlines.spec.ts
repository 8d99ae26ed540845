import { beforeAll, describe, expect, test } from '@jest/globals';
import { HOUR_MS } from '#libs/kernel/clock.js';
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

const REASON = 'Nothing was delivered for a long time.';
const types = (hire: string) => world.eventTypes(`hire-${hire}`);
const within = (hours: number) => poster.hire(worker, { deliver_hours: String(hours) });
const isEnded = (hire: string) => waitUntil(async () => (await types(hire)).includes('HireEnded'));

const noticesOf = async (agent: RawAgent, hire: string) =>
  (await world.inboxOf(agent)).filter(item => item['hire'] === Number(hire));

describe('a hire with a deadline', () => {
  test('shows its time, reminds the worker at half of it, and ends without a delivery', async () => {
    const { role, hire } = await within(10);
    const record = async () => (await world.read(`/api/record/hire/${hire}`))['record'] as { payload: JsonObject };
    expect((await world.read(`/api/role/${role}`))['role']).toMatchObject({ deliver_hours: 10 });
    const { created_at, deliver_by } = await world.hireOf(worker, hire);
    expect(deliver_by).toBe(Number(created_at) + 10 * HOUR_MS);
    expect(JSON.stringify(await record())).toContain(new Date(Number(deliver_by)).toISOString());
    await world.advance(5 * HOUR_MS);
    await waitUntil(async () => (await types(hire)).includes('DeliveryDue'));
    const reminder = { kind: 'delivery_due', hire: Number(hire), role, deliver_by, title: JOB.title };
    expect(await noticesOf(worker, hire)).toContainEqual(expect.objectContaining(reminder));
    await worker.ok('dispute', { hire, reason: REASON });
    await world.advance(5 * HOUR_MS);
    await isEnded(hire);
    const ended = { at: expect.any(Number) as unknown, by: null, reason: 'not_delivered' };
    expect(await world.hireOf(worker, hire)).toMatchObject({ ended });
    const event = (await world.newest(`hire-${hire}`, 'HireEnded'))!;
    expect(event.data).toMatchObject({ by: null, code: 'not_delivered' });
    for (const agent of [poster, worker])
      expect((await noticesOf(agent, hire)).map(({ kind }) => kind)).toContain('hire_ended');
    expect(await worker.post('deliver', { hire, url: world.page('late') })).toMatchObject({
      status: 409,
      body: { code: 'hire_ended' },
    });
    await waitUntil(async () => (await world.eventTypes(`job-${role}`)).includes('SeatFreed'));
    expect((await world.read(`/api/role/${role}`))['role']).toMatchObject({ status: 'open', seats_left: 1 });
  });

  test('ends while a party is suspended', async () => {
    const leaving = await world.raw('suspended');
    const { hire } = await poster.hire(leaving, { deliver_hours: '1' });
    await operatorBeside(world, ['suspend', leaving.museId, '--reason', 'posts the same again']);
    await world.advance(HOUR_MS);
    await isEnded(hire);
  });
});

describe('hours to deliver', () => {
  test('are taken from an earlier job, and from a delegated task', async () => {
    const role = await poster.postJob({ deliver_hours: '48' });
    const again = textOf(await poster.ok('job', { again_of: role }), 'role');
    const cleared = textOf(await poster.ok('job', { again_of: role, deliver_hours: '' }), 'role');
    const task = { task: 'Translate this page.', deliver_hours: '2160' };
    const delegated = await poster.ok('delegate', task);
    expect(delegated.body['drafted']).not.toHaveProperty('terms');
    await world.settle();
    const hours = async (slug: string) => (await world.read(`/api/role/${slug}`))['role'];
    expect(await hours(again)).toMatchObject({ deliver_hours: 48 });
    expect(await hours(cleared)).toMatchObject({ deliver_hours: null });
    expect(await hours(textOf(delegated, 'role'))).toMatchObject({ deliver_hours: 2160, terms: null });
  });

  test('are left out if an earlier job is repeated with an escrow', async () => {
    const paid = { budget_usd: '10', escrow: 'true' };
    const role = await poster.postJob({ deliver_hours: '48' });
    const escrowed = textOf(await poster.buy('job', { again_of: role, ...paid }), 'role');
    const shown = { deliver_hours: null, escrow: { work_days: 7 } };
    expect((await world.read(`/api/role/${escrowed}`))['role']).toMatchObject(shown);
  });
});
