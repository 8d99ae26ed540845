import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { a2aOf, message, payingFor, reason, type Task, VERSION } from '../a2a.js';
import { FaultyRpc } from '../faulty-rpc.js';
import type { Headings } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

/** What is read of a task before its payment has settled: a read never waits for another request, and never fails by one. */
const faultyRpc = new FaultyRpc(30 * SECOND_MS);
const TIMING = { waitMs: 900, pollMs: 10, pollMsMax: 50, watchMs: 10 * MINUTE_MS };
const OVERRIDES = { chains: faultyRpc.chains, payments: { timing: TIMING } };
const RAIL = 'usdc-base';
const LOOK_MS = 50;
let world: World;
beforeAll(async () => void (world = await World.start({ overrides: OVERRIDES })));
afterEach(() => faultyRpc.mend());
afterAll(async () => {
  await world.stop();
  await faultyRpc.stop();
});

const { rpc, rest, member, ask, get } = a2aOf(() => world.url);
const job = () => message('', { parts: [{ data: { task: 'Translate the manual.', budget_usd: '5', rail: RAIL } }] });
const payFor = async (offered: Task, name: string) => payingFor(offered, await world.raw(name), world.now());
const paymentOf = ({ status }: Task) => [status.state, status.message!.metadata!['x402.payment.status']];

const WAITS = ['TASK_STATE_INPUT_REQUIRED', 'payment-required'];
const SUBMITTED = ['TASK_STATE_WORKING', 'payment-submitted'];

async function firstOfStream(id: string, as: Headings): Promise<Task> {
  const reply = await fetch(`${world.url}/a2a/tasks/${id}:subscribe`, { headers: { ...VERSION, ...as } });
  const [event] = (await reply.text()).split('\n\n').filter(each => each.startsWith('data: '));
  return (JSON.parse(event!.slice('data: '.length)) as { readonly task: Task }).task;
}

test('a task that waits for its payment is told the same however many ask at once', async () => {
  const as = await member();
  const offered = await ask(job(), as);
  const told = await Promise.all(Array.from({ length: 12 }, () => get(offered.id, as)));
  for (const each of told) expect(each).toEqual(offered);
  const streamed = await Promise.all(Array.from({ length: 4 }, () => firstOfStream(offered.id, as)));
  for (const each of streamed) expect(each).toEqual(offered);
});

test('one whose payment runs works, cannot be canceled, and is a job once that has settled', async () => {
  const as = await member();
  const offered = await ask(job(), as);
  const payment = await payFor(offered, 'Payer');
  faultyRpc.of(RAIL).set({ status: 503 }, { method: 'eth_sendRawTransaction' });
  let isRunning = true;
  const sent = rpc('SendMessage', payment, as).finally(() => (isRunning = false));
  const seen: unknown[] = [];
  for (; isRunning; seen.push(paymentOf(await get(offered.id, as)))) await pause(LOOK_MS);
  expect(seen.at(-1)).toEqual(SUBMITTED);
  for (const each of seen) expect([WAITS, SUBMITTED]).toContainEqual(each);
  expect(reason(await sent)).toBe('SETTLEMENT_PENDING');
  const two = await Promise.all([get(offered.id, as), get(offered.id, as)]);
  expect(two.map(paymentOf)).toEqual([SUBMITTED, SUBMITTED]);
  expect(paymentOf(await firstOfStream(offered.id, as))).toEqual(SUBMITTED);
  const cancel = () => rest(`/tasks/${offered.id}:cancel`, as, { method: 'POST' });
  expect((await cancel()).body).toMatchObject({ error: { details: [{ reason: 'TASK_NOT_CANCELABLE' }] } });
  const refusal = { taskId: offered.id, metadata: { 'x402.payment.status': 'payment-rejected' } };
  expect((await rpc('SendMessage', message('', refusal), as)).error?.code).toBe(-32002);

  await world.restart(OVERRIDES);
  let task = await get(offered.id, as);
  for (; task.metadata?.['role'] === undefined; task = await get(offered.id, as)) {
    expect(paymentOf(task)).toEqual(SUBMITTED);
    await pause(LOOK_MS);
  }
  expect(task).toMatchObject({ id: offered.id, status: { state: 'TASK_STATE_SUBMITTED' } });
  expect((await ask(payment, as)).metadata!['role']).toBe(task.metadata['role']);
  expect(await world.counts('PaymentApplied', 'JobPosted')).toEqual([1, 1]);
}, 60_000);

test('one whose payment came to nothing waits for another, and can be canceled', async () => {
  const as = await member();
  const offered = await ask(job(), as);
  faultyRpc.of(RAIL).set('refuse');
  expect(reason(await rpc('SendMessage', await payFor(offered, 'Unheard'), as))).toBe('PAYMENTS_UNAVAILABLE');
  faultyRpc.mend();
  expect(await get(offered.id, as)).toEqual(offered);
  const refusal = { taskId: offered.id, metadata: { 'x402.payment.status': 'payment-rejected' } };
  expect((await ask(message('', refusal), as)).status.state).toBe('TASK_STATE_CANCELED');
  expect((await get(offered.id, as)).status.state).toBe('TASK_STATE_CANCELED');
});

test('what was paid meanwhile stands an audit', async () => {
  expect(await world.audit()).toEqual(CLEAN);
});
