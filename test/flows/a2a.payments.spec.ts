import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { a2aOf, asReply, message, paymentMessage, reason, type Task, VERSION } from '../a2a.js';
import { escrowHeader } from '../escrow-payment.js';
import { useFaultyWorld } from '../faulty-rpc.js';
import type { HeaderFields, RawAgent } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { decodeBase64Json } from '../x402.js';

describe('payments over A2A', () => {
  const world = useWorld();

  const { rpc, rest, member, ask, get } = a2aOf(() => world.url);
  const task = 'Translate the manual into French.';
  const X402 = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2';

  describe('a paid task', () => {
    const paying = (offered: Task, from: RawAgent, changed = {}) => paymentMessage(offered, from, world.now(), changed);

    test('waits for its payment, keeps its id and completes once the wage is paid', async () => {
      const as = { ...(await member()), 'a2a-extensions': X402 };
      const [payer, worker] = await world.raws('Payer', 'Paid');
      const sent = message(task, { parts: [{ text: task }, { data: { budget_usd: '5' } }] });
      const offered = await ask(sent, as);
      expect(offered.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
      expect(offered.status.message!.metadata).toMatchObject({
        'x402.payment.status': 'payment-required',
        'x402.payment.required': {
          x402Version: 2,
          accepts: [{ scheme: 'exact', amount: expect.any(String) as unknown }],
          extensions: { 'offer-receipt': { info: { offers: [{ format: 'jws' }] } } },
        },
        'x402.payment.required.v1': {
          x402Version: 1,
          accepts: [{ scheme: 'exact', maxAmountRequired: expect.any(String) as unknown }],
        },
      });
      const { data } = offered.status.message!.parts.find(part => 'data' in part)!;
      expect(offered.status.message!.metadata!['x402.payment.required']).toEqual(data);
      expect(await get(offered.id, as)).toEqual(offered);
      expect((await rpc('GetTask', { id: offered.id }, await member())).error?.code).toBe(-32001);

      const tooLittle = await ask(await paying(offered, payer, { value: '1' }), as);
      expect(tooLittle.status.message!.metadata).toMatchObject({ 'x402.payment.status': 'payment-failed' });
      const payment = await paying(offered, payer);
      const paid = await rpc('SendMessage', payment, as);
      expect(paid.headers.get('a2a-extensions')).toBe(X402);
      const posted = paid.result!['task'] as unknown as Task;
      expect(posted).toMatchObject({ id: offered.id, status: { state: 'TASK_STATE_SUBMITTED' } });
      expect(posted.status.message!.metadata).toMatchObject({
        'x402.payment.status': 'payment-completed',
        'x402.payment.receipts': [
          { success: true, extensions: { 'offer-receipt': { info: { receipt: { format: 'jws' } } } } },
        ],
      });
      expect((await ask(payment, as)).metadata!['role']).toBe(posted.metadata!['role']);
      expect((await rpc('ListTasks', {}, as)).result).toMatchObject({ tasks: [{ id: offered.id }], totalSize: 1 });

      const role = posted.metadata!['role'] as string;
      await worker.post('apply', { role, note: 'Gladly.' });
      await world.settle();
      const hired = await ask(message('', { taskId: offered.id, parts: [{ data: { hire: worker.museId } }] }), as);
      expect(hired.status.state).toBe('TASK_STATE_WORKING');
      const hire = /"hire":(\d+)/.exec(JSON.stringify(hired))![1]!;
      await worker.post('deliver', { hire, url: world.page('Bonjour.') });
      await world.settle();
      const acceptance = message('accept', { taskId: offered.id });
      const accepted = await ask(acceptance, as);
      expect(accepted.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
      expect((await ask(acceptance, as)).metadata).toEqual(accepted.metadata);
      expect((await world.eventTypes(`hire-${hire}`)).filter(type => type === 'Accepted')).toHaveLength(1);
      const wage = await ask(message('pay', { taskId: offered.id }), as);
      expect(wage.status.message!.metadata).toMatchObject({ 'x402.payment.status': 'payment-required' });
      const paidWage = await paying(wage, payer);
      const done = await ask(paidWage, as);
      expect(done).toMatchObject({ id: offered.id, status: { state: 'TASK_STATE_COMPLETED' } });
      expect(done.artifacts).toMatchObject([{ artifactId: `delivery-${hire}` }]);
      expect((await ask(paidWage, as)).status.state).toBe('TASK_STATE_COMPLETED');
      expect((await rpc('SendMessage', message('pay', { taskId: offered.id }), as)).error?.code).toBe(-32004);
    });

    test('hires into an escrow with the payment of another message', async () => {
      const as = await member();
      const [payer, worker] = await world.raws('Funder', 'Secured');
      const data = { task, budget_usd: '10', escrow: 'true', rail: 'usdc-base' };
      const offered = await ask(message('', { parts: [{ data }] }), as);
      const { id: taskId, metadata: posted } = await ask(await paying(offered, payer), as);
      await worker.ok('apply', { role: posted!['role'] as string, note: 'Gladly.' });
      await world.settle();
      const text = `hire ${worker.museId}`;
      const unfunded = await ask(message(text, { taskId }), as);
      const { parts, metadata } = unfunded.status.message!;
      expect(metadata).toMatchObject({ 'x402.payment.required': { accepts: [{ scheme: 'auth-capture' }] } });
      expect(metadata).not.toHaveProperty(['x402.payment.required.v1']);
      expect(JSON.stringify(parts[0])).toContain(text);
      const { 'payment-signature': payment } = await escrowHeader(payer, asReply(unfunded));
      const paid = { 'x402.payment.payload': decodeBase64Json(payment) };
      const funded = await ask(message(text, { taskId, metadata: paid }), as);
      expect(funded).toMatchObject({ id: taskId, status: { state: 'TASK_STATE_WORKING' } });
      expect(funded.status.message!.metadata).toMatchObject({ 'x402.payment.status': 'payment-completed' });
      const hire = /"hire":(\d+)/.exec(JSON.stringify(funded))![1]!;
      expect(await world.eventTypes(`hire-${hire}`)).toEqual(['Hired', 'EscrowFunded']);
    });

    test('is canceled if its payment is refused or the caller cancels it before paying', async () => {
      const as = await member();
      const taskMessage = () => message('', { parts: [{ data: { task, budget_usd: '5' } }] });
      const [first, second] = [await ask(taskMessage(), as), await ask(taskMessage(), as)];
      const refusal = { taskId: first.id, metadata: { 'x402.payment.status': 'payment-rejected' } };
      expect((await ask(message('', refusal), as)).status.state).toBe('TASK_STATE_CANCELED');
      expect((await get(first.id, as)).status.state).toBe('TASK_STATE_CANCELED');
      const canceled = await rest(`/tasks/${second.id}:cancel`, as, { method: 'POST' });
      expect(canceled.body).toMatchObject({ id: second.id, status: { state: 'TASK_STATE_CANCELED' } });
      expect((await rpc('ListTasks', {}, as)).result).toMatchObject({ totalSize: 0 });
    });
  });
});

describe('a pending payment over A2A', () => {
  const TIMING = { waitMs: 900, pollMs: 10, pollMsMax: 50, watchMs: 10 * MINUTE_MS };
  const RAIL = 'usdc-base';
  const LOOK_MS = 50;
  const { world, faultyRpc, overrides } = useFaultyWorld(TIMING);

  const { rpc, rest, member, ask, get } = a2aOf(() => world.url);
  const job = () => message('', { parts: [{ data: { task: 'Translate the manual.', budget_usd: '5', rail: RAIL } }] });
  const payFor = async (offered: Task, name: string) => paymentMessage(offered, await world.raw(name), world.now());
  const paymentOf = ({ status }: Task) => [status.state, status.message!.metadata!['x402.payment.status']];

  const WAITS = ['TASK_STATE_INPUT_REQUIRED', 'payment-required'];
  const SUBMITTED = ['TASK_STATE_WORKING', 'payment-submitted'];

  async function firstOfStream(id: string, as: HeaderFields): Promise<Task> {
    const reply = await fetch(`${world.url}/a2a/tasks/${id}:subscribe`, { headers: { ...VERSION, ...as } });
    const [event] = (await reply.text()).split('\n\n').filter(each => each.startsWith('data: '));
    return (JSON.parse(event!.slice('data: '.length)) as { readonly task: Task }).task;
  }

  test('concurrent reads of an unpaid task all return the same state', async () => {
    const as = await member();
    const offered = await ask(job(), as);
    const tasks = await Promise.all(Array.from({ length: 12 }, () => get(offered.id, as)));
    for (const each of tasks) expect(each).toEqual(offered);
    const streamed = await Promise.all(Array.from({ length: 4 }, () => firstOfStream(offered.id, as)));
    for (const each of streamed) expect(each).toEqual(offered);
  });

  test('a task cannot be canceled during its pending payment and then becomes a job', async () => {
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

    await world.restart(overrides);
    let task = await get(offered.id, as);
    for (; task.metadata?.['role'] === undefined; task = await get(offered.id, as)) {
      expect(paymentOf(task)).toEqual(SUBMITTED);
      await pause(LOOK_MS);
    }
    expect(task).toMatchObject({ id: offered.id, status: { state: 'TASK_STATE_SUBMITTED' } });
    expect((await ask(payment, as)).metadata!['role']).toBe(task.metadata['role']);
    expect(await world.counts('PaymentApplied', 'JobPosted')).toEqual([1, 1]);
  }, 60_000);

  test('a task whose payment failed still requires payment and can be canceled', async () => {
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
});
