import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { type Headings, quickstart, RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';
import { base64, payload, unbase64, version2 } from '../x402.js';

let world: World;
beforeAll(async () => {
  world = await World.start({ settings: { RATE_LIMITS: 'dev', TRUST_PROXY: '1' }, overrides: { countsAlone: true } });
});
afterAll(() => world.stop());

const VERSION = { 'a2a-version': '1.0' };
const X402 = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2';
const task = 'Translate the manual into French.';

interface Task {
  readonly id: string;
  readonly contextId: string;
  readonly status: {
    readonly state: string;
    readonly message?: { readonly parts: JsonObject[]; readonly metadata?: JsonObject };
  };
  readonly artifacts?: readonly JsonObject[];
  readonly metadata?: JsonObject;
}
interface Rpc {
  readonly status: number;
  readonly headers: Headers;
  readonly result?: JsonObject;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: readonly JsonObject[] };
}

async function rpc(method: string, params: object, headers: Headings = {}): Promise<Rpc> {
  const body = { jsonrpc: '2.0', id: 7, method, params };
  const reply = await send(world.url, '/a2a', { body, headers: { ...VERSION, ...headers } });
  expect(reply.body).toMatchObject({ jsonrpc: '2.0', id: 7 });
  return { ...(reply.body as object), status: reply.status, headers: reply.headers };
}

const rest = (path: string, headers: Headings = {}, sending = {}): Promise<Reply> =>
  send(world.url, `/a2a${path}`, { headers: { ...VERSION, ...headers }, ...sending });

let messages = 0;
const message = (text: string, more: object = {}) => ({
  message: { messageId: `m${(messages += 1)}`, role: 'ROLE_USER', parts: text === '' ? [] : [{ text }], ...more },
});
const data = (value: object) => message('', { parts: [{ data: value }] });

async function member(): Promise<Headings> {
  const { headers } = await quickstart(world.url, { kind: 'publisher' });
  return { authorization: headers['authorization']! };
}

async function ask(sent: object, as: Headings): Promise<Task> {
  const { result, error } = await rpc('SendMessage', sent, as);
  expect(error).toBeUndefined();
  return result!['task'] as unknown as Task;
}
const get = async (id: string, as: Headings) => (await rpc('GetTask', { id }, as)).result as unknown as Task;
const reason = ({ error }: Rpc) => error?.data?.[0]?.['reason'];

describe('who calls', () => {
  test('needs a token for tasks, and none to find workers', async () => {
    const unsigned = await rpc('SendMessage', message(task));
    expect([unsigned.status, reason(unsigned)]).toEqual([401, 'UNSIGNED']);
    expect(unsigned.headers.get('www-authenticate')).toBe('Bearer realm="agent-job-network"');
    const wrong = { authorization: `Bearer service_tok_${'a'.repeat(43)}` };
    const listed = await rest('/tasks', wrong);
    expect([listed.status, listed.body]).toMatchObject([401, { error: { status: 'UNAUTHENTICATED' } }]);
    expect(listed.headers.get('www-authenticate')).toContain('invalid_token');
    const worker = await world.raw('Finder’s worker');
    await worker.post('profile', { skills: 'frisian' });
    await world.settled();
    const found = await rpc('SendMessage', data({ skillId: 'find-workers', skill: 'frisian' }));
    expect(JSON.stringify(found.result)).toContain(worker.museId);
    expect(JSON.stringify((await rpc('SendMessage', message('Find Finder’s worker'))).result)).toContain(worker.museId);
    expect(JSON.stringify((await rpc('SendMessage', message('Look for somebody unheard'))).result)).toContain('Nobody');
  });

  test('sees its own tasks alone, by every method', async () => {
    const [own, other] = [await member(), await member()];
    const { id } = await ask(message(task), own);
    for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask'])
      expect([method, (await rpc(method, { id }, other)).error?.code]).toEqual([method, -32001]);
    expect((await rpc('SendMessage', message('close', { taskId: id }), other)).error?.code).toBe(-32001);
    expect((await rest(`/tasks/${id}`, other)).status).toBe(404);
    expect((await rest(`/tasks/${id}:cancel`, other, { method: 'POST' })).status).toBe(404);
    expect((await rest('/tasks', other)).body).toEqual({ tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 });
    expect((await get(id, own)).status.state).toBe('TASK_STATE_SUBMITTED');
  });

  test('is limited as over the other interfaces', async () => {
    const as = await member();
    const posted: Rpc[] = [];
    for (let count = 0; count < 11; count += 1)
      posted.push(await rpc('SendMessage', message(`Translate page ${count}.`), as));
    expect(posted.slice(0, 10).every(({ result }) => result !== undefined)).toBe(true);
    expect([posted[10]!.status, reason(posted[10]!)]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(posted[10]!.headers.get('retry-after'))).toBeGreaterThan(0);
    await world.pass(DAY_MS);
    const from = { 'x-forwarded-for': '203.0.113.9' };
    const replies: number[] = [];
    for (let count = 0; count < 601; count += 1) replies.push((await rest('/extendedAgentCard', from)).status);
    expect([replies[599], replies[600]]).toEqual([400, 429]);
  });
});

describe('a request', () => {
  test('that cannot be read is refused by the codes of JSON-RPC and A2A', async () => {
    const as = await member();
    const without = await send(world.url, '/a2a', { body: { jsonrpc: '2.0', id: 1, method: 'GetTask', params: {} } });
    expect(without.body).toMatchObject({ error: { code: -32009, data: [{ reason: 'VERSION_NOT_SUPPORTED' }] } });
    expect((await rpc('tasks/get', {}, as)).error?.code).toBe(-32601);
    expect((await rpc('SendMessage', {}, as)).error?.code).toBe(-32602);
    expect((await rpc('SendMessage', message(task, { messageId: '' }), as)).error?.code).toBe(-32602);
    expect((await rpc('SendMessage', data({ skillId: 'cook' }), as)).error?.code).toBe(-32602);
    const file = message(task, { parts: [{ raw: 'QUJD' }] });
    expect((await rpc('SendMessage', file, as)).error?.code).toBe(-32005);
    expect((await rpc('GetExtendedAgentCard', {}, as)).error?.code).toBe(-32007);
    expect((await rpc('ListTasks', { pageSize: 101 }, as)).error?.code).toBe(-32602);
    const noCall = await rest('', {}, { body: { method: 'GetTask' } });
    expect(noCall.body).toEqual({ jsonrpc: '2.0', id: null, error: expect.objectContaining({ code: -32600 }) });
    const broken = await rest('', {}, { body: '{' });
    expect(broken.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700 } });
    expect((await rest('/tasks/job-1:eat', as, { method: 'POST' })).status).toBe(404);
  });

  test('of a hostile shape is refused as that, and never as a defect of the service', async () => {
    const as = await member();
    const shapes = [
      { message: 'x' },
      message(task, { parts: [null] }),
      message(task, { parts: [{ data: 5 }] }),
      message(task, { contextId: 'c'.repeat(300) }),
      message(task, { messageId: 'm'.repeat(300) }),
      message('Find \ud800 half'),
      message('\ud800 half of a pair is no text'),
      data({ skillId: 'find-workers', skill: { deep: [] } }),
      data({ task: { nested: true } }),
      data({ task, budget_usd: [['5']], budgt: '7' }),
    ];
    for (const shape of shapes) {
      const { status, error } = await rpc('SendMessage', shape, as);
      expect([JSON.stringify(shape).slice(0, 60), status, error?.code]).toEqual([expect.any(String), 200, -32602]);
    }
    for (const id of ['', '../x', 'job-1\u0000', 'offer-' + '0'.repeat(24), 5, null, {}, '\ud800'])
      expect([id, (await rpc('GetTask', { id }, as)).error?.code]).toEqual([id, -32001]);
    for (const params of [
      { pageToken: 'x' },
      { pageSize: 'many' },
      { status: 'DONE' },
      { statusTimestampAfter: 'then' },
    ])
      expect([params, (await rpc('ListTasks', params, as)).status]).toEqual([params, 200]);
  });

  test('has one of two media types, and its binding’s own in the answer', async () => {
    const as = await member();
    const body = JSON.stringify(message(task));
    const typed = (type: string) => rest('/message:send', { ...as, 'content-type': type }, { body });
    const taken = await typed('application/a2a+json');
    expect([taken.status, taken.headers.get('content-type')]).toEqual([200, 'application/a2a+json; charset=utf-8']);
    expect((await typed('application/json; charset=utf-8')).body).toEqual(taken.body);
    expect(await typed('text/plain')).toMatchObject({ status: 415, body: { error: { code: 415 } } });
    expect(taken.headers.get('cache-control')).toBe('no-store');
  });

  test('of another page is let in with the version’s header, and may delete', async () => {
    const asked = { origin: 'https://page.example', 'access-control-request-method': 'DELETE' };
    const { headers } = await send(world.url, '/a2a/tasks', { method: 'OPTIONS', headers: asked });
    expect(headers.get('access-control-allow-methods')).toContain('DELETE');
    expect(headers.get('access-control-allow-headers')).toContain('a2a-version');
  });
});

test('the same message again is the same task, and another one under its id is refused', async () => {
  const as = await member();
  const sent = message(task, { contextId: 'my-context' });
  const first = await ask(sent, as);
  expect(first).toMatchObject({
    contextId: 'my-context',
    metadata: { role: first.id, title: 'Translate the manual into French' },
  });
  expect((await ask(sent, as)).id).toBe(first.id);
  const other = { message: { ...sent.message, parts: [{ text: 'Translate something else.' }] } };
  expect(reason(await rpc('SendMessage', other, as))).toBe('IDEMPOTENCY_CONFLICT');
  const listed = await rpc('ListTasks', { contextId: 'my-context' }, as);
  expect(listed.result).toMatchObject({ tasks: [{ id: first.id, contextId: 'my-context' }], totalSize: 1 });
  expect((await rpc('ListTasks', { status: 'TASK_STATE_COMPLETED' }, as)).result).toMatchObject({ tasks: [] });
  const followed = await ask(message(`follow ${first.id}`), as);
  expect(followed.id).toBe(first.id);
});

test('a greeting posts nothing', async () => {
  const as = await member();
  const { result } = await rpc('SendMessage', message('Hello!'), as);
  expect(JSON.stringify(result!['message'])).toContain('I find workers');
  expect((await rpc('ListTasks', {}, as)).result).toMatchObject({ totalSize: 0 });
});

describe('a task that is paid', () => {
  const asReply = ({ status }: Task): Reply => {
    const offer = status.message!.parts.find(part => part['data'] !== undefined)!['data'];
    return { status: 402, headers: new Headers({ 'payment-required': base64(offer) }), body: {} };
  };
  /** A message that carries a payment for what a task offers. */
  async function paying(offered: Task, from: RawAgent, changed = {}) {
    const reply = asReply(offered);
    const signed = version2(reply, await payload(from.wallet, reply, world.now(), changed));
    const metadata = { 'x402.payment.status': 'payment-submitted', 'x402.payment.payload': unbase64(signed) };
    return message('Here is the payment.', { taskId: offered.id, metadata });
  }

  test('waits for its payment, goes on under the same id, and is done once the wage is paid', async () => {
    const as = { ...(await member()), 'a2a-extensions': X402 };
    const [payer, worker] = await Promise.all([world.raw('Payer'), world.raw('Paid')]);
    const sent = message(task, { parts: [{ text: task }, { data: { budget_usd: '5' } }] });
    const offered = await ask(sent, as);
    expect(offered.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(offered.status.message!.metadata).toMatchObject({
      'x402.payment.status': 'payment-required',
      'x402.payment.required': { x402Version: 1, accepts: [{ scheme: 'exact' }] },
    });
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

test('a stream shows what becomes of a task, and ends when it is over', async () => {
  const as = await member();
  const { id } = await ask(message(task), as);
  const streamed = fetch(`${world.url}/a2a/tasks/${id}:subscribe`, { headers: { ...VERSION, ...as } });
  const reply = await streamed;
  expect(reply.headers.get('content-type')).toBe('text/event-stream');
  await rest(`/tasks/${id}:cancel`, as, { method: 'POST' });
  const events = (await reply.text()).split('\n\n').filter(each => each.startsWith('data: '));
  const [first, last] = events.map(each => JSON.parse(each.slice('data: '.length)) as JsonObject);
  expect(first).toMatchObject({ task: { id, status: { state: 'TASK_STATE_SUBMITTED' } } });
  expect(last).toMatchObject({ statusUpdate: { taskId: id, status: { state: 'TASK_STATE_CANCELED' } } });
  expect((await rest(`/tasks/${id}:subscribe`, as)).status).toBe(400);
});

test('what came by it stands an audit', async () => {
  const { role } = { role: textOf(await (await world.raw('Last')).post('delegate', { task }), 'role') };
  expect(role).toMatch(/^job-/);
  expect(await world.audit()).toEqual(CLEAN);
});
