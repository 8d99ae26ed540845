import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { a2aOf, message, payingFor, type Task } from '../a2a.js';
import type { RawAgent } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const { rpc, rest, member, ask, get } = a2aOf(() => world.url);
const task = 'Translate the manual into French.';
const X402 = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2';

describe('a task that is paid', () => {
  const paying = (offered: Task, from: RawAgent, changed = {}) => payingFor(offered, from, world.now(), changed);

  test('waits for its payment, goes on under the same id, and is done once the wage is paid', async () => {
    const as = { ...(await member()), 'a2a-extensions': X402 };
    const [payer, worker] = await Promise.all([world.raw('Payer'), world.raw('Paid')]);
    const sent = message(task, { parts: [{ text: task }, { data: { budget_usd: '5' } }] });
    const offered = await ask(sent, as);
    expect(offered.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(offered.status.message!.metadata).toMatchObject({
      'x402.payment.status': 'payment-required',
      'x402.payment.required': {
        x402Version: 2,
        accepts: [{ scheme: 'exact', amount: expect.any(String) as unknown }],
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
      'x402.payment.receipts': [{ success: true }],
    });
    expect((await ask(payment, as)).metadata!['role']).toBe(posted.metadata!['role']);
    expect((await rpc('ListTasks', {}, as)).result).toMatchObject({ tasks: [{ id: offered.id }], totalSize: 1 });

    const role = posted.metadata!['role'] as string;
    await worker.post('apply', { role, note: 'Gladly.' });
    await world.settled();
    const hired = await ask(message('', { taskId: offered.id, parts: [{ data: { hire: worker.museId } }] }), as);
    expect(hired.status.state).toBe('TASK_STATE_WORKING');
    const hire = /"hire":(\d+)/.exec(JSON.stringify(hired))![1]!;
    await worker.post('deliver', { hire, url: world.page('Bonjour.') });
    await world.settled();
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

  test('is over where its payment is refused, or it is canceled before', async () => {
    const as = await member();
    const asked = () => message('', { parts: [{ data: { task, budget_usd: '5' } }] });
    const [first, second] = [await ask(asked(), as), await ask(asked(), as)];
    const refusal = { taskId: first.id, metadata: { 'x402.payment.status': 'payment-rejected' } };
    expect((await ask(message('', refusal), as)).status.state).toBe('TASK_STATE_CANCELED');
    expect((await get(first.id, as)).status.state).toBe('TASK_STATE_CANCELED');
    const canceled = await rest(`/tasks/${second.id}:cancel`, as, { method: 'POST' });
    expect(canceled.body).toMatchObject({ id: second.id, status: { state: 'TASK_STATE_CANCELED' } });
    expect((await rpc('ListTasks', {}, as)).result).toMatchObject({ totalSize: 0 });
  });
});

test('what was paid by it stands an audit', async () => {
  expect(await world.audit()).toEqual(CLEAN);
});
