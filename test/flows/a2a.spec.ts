import { describe, expect, test } from '@jest/globals';
import { DAY_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { a2aOf, data, message, reason, type RpcReply, VERSION } from '../a2a.js';
import { send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld({ settings: { RATE_LIMITS: 'dev', TRUST_PROXY: '1' }, overrides: { isAlone: true } });

const { rpc, rest, member, ask, get } = a2aOf(() => world.url);
const task = 'Translate the manual into French.';

describe('a caller', () => {
  test('needs a token for tasks but not to find workers', async () => {
    const unsigned = await rpc('SendMessage', message(task));
    expect([unsigned.status, reason(unsigned)]).toEqual([401, 'UNSIGNED']);
    expect(unsigned.headers.get('www-authenticate')).toBe('Bearer realm="agent-job-network"');
    const priced = await rpc('SendMessage', data({ task, budget_usd: '5' }));
    expect([reason(priced), priced.error?.message]).toEqual(['UNSIGNED', unsigned.error!.message]);
    expect([priced.status, priced.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="agent-job-network"']);
    const body = data({ task, budget_usd: '5' });
    expect(await rest('/message:send', {}, { body })).toMatchObject({ status: 401, body: { error: { code: 401 } } });
    const wrong = { authorization: `Bearer service_tok_${'a'.repeat(43)}` };
    const listed = await rest('/tasks', wrong);
    expect([listed.status, listed.body]).toMatchObject([401, { error: { status: 'UNAUTHENTICATED' } }]);
    expect(listed.headers.get('www-authenticate')).toContain('invalid_token');
    const worker = await world.raw('Finder’s worker');
    await worker.post('profile', { skills: 'frisian' });
    await world.settle();
    const search = await rpc('SendMessage', data({ skillId: 'find-workers', skill: 'frisian' }));
    expect(JSON.stringify(search.result)).toContain(worker.museId);
    expect(JSON.stringify((await rpc('SendMessage', message('Find Finder’s worker'))).result)).toContain(worker.museId);
    expect(JSON.stringify((await rpc('SendMessage', message('Look for somebody unheard'))).result)).toContain(
      'No workers',
    );
  });

  test('sees only its own tasks, by every method', async () => {
    const [own, other] = [await member(), await member()];
    const { id } = await ask(message(task), own);
    for (const method of ['GetTask', 'CancelTask', 'SubscribeToTask'])
      expect([method, (await rpc(method, { id }, other)).error?.code]).toEqual([method, -32001]);
    expect((await rpc('SendMessage', message('close', { taskId: id }), other)).error?.code).toBe(-32001);
    expect((await rest(`/tasks/${id}`, other)).status).toBe(404);
    expect((await rest(`/tasks/${id}:cancel`, other, { method: 'POST' })).status).toBe(404);
    expect((await rest('/tasks', other)).body).toEqual({ tasks: [], nextPageToken: '', pageSize: 20, totalSize: 0 });
    expect((await get(id, own)).status.state).toBe('TASK_STATE_SUBMITTED');
  });

  test('has the same rate limits as over the other interfaces', async () => {
    const as = await member();
    const posted: RpcReply[] = [];
    for (let count = 0; count < 11; count += 1)
      posted.push(await rpc('SendMessage', message(`Translate page ${count}.`), as));
    expect(posted.slice(0, 10).every(({ result }) => result !== undefined)).toBe(true);
    expect([posted[10]!.status, reason(posted[10]!)]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(posted[10]!.headers.get('retry-after'))).toBeGreaterThan(0);
    await world.advance(DAY_MS);
    const from = { 'x-forwarded-for': '203.0.113.9' };
    const replies: number[] = [];
    for (let count = 0; count < 601; count += 1) replies.push((await rest('/extendedAgentCard', from)).status);
    expect([replies[599], replies[600]]).toEqual([400, 429]);
  });
});

describe('a request', () => {
  test('that cannot be parsed gets the error codes of JSON-RPC and A2A', async () => {
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
    const batch = await rest('', {}, { body: '[]' });
    expect(batch.body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
    expect((await rest('/tasks/job-1:eat', as, { method: 'POST' })).status).toBe(404);
  });

  test('with a hostile shape is refused without an internal error', async () => {
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
    for (const id of ['', '../x', 'job-1\u0000', 'offer-' + '0'.repeat(24), null, '\ud800'])
      expect([id, (await rpc('GetTask', { id }, as)).error?.code]).toEqual([id, -32001]);
  });

  test('accepts two media types and returns the one of its binding', async () => {
    const as = await member();
    const body = JSON.stringify(message(task));
    const typed = (type: string) => rest('/message:send', { ...as, 'content-type': type }, { body });
    const taken = await typed('application/a2a+json');
    expect([taken.status, taken.headers.get('content-type')]).toEqual([200, 'application/a2a+json; charset=utf-8']);
    expect((await typed('application/json; charset=utf-8')).body).toEqual(taken.body);
    expect(await typed('text/plain')).toMatchObject({ status: 415, body: { error: { code: 415 } } });
    expect(taken.headers.get('cache-control')).toBe('no-store');
  });

  test('from another origin may send the version header and use DELETE', async () => {
    const preflight = { origin: 'https://page.example', 'access-control-request-method': 'DELETE' };
    const { headers } = await send(world.url, '/a2a/tasks', { method: 'OPTIONS', headers: preflight });
    expect(headers.get('access-control-allow-methods')).toContain('DELETE');
    const allowed = headers.get('access-control-allow-headers')!.split(', ');
    expect(allowed).toEqual(expect.arrayContaining(['a2a-version', 'a2a-extensions', 'x-a2a-extensions']));
  });
});

test('a repeated message returns its task, and another message with its id is refused', async () => {
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

test('a stream sends the changes of a task and ends with the task', async () => {
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

test('HEAD of a stream returns at once', async () => {
  const as = await member();
  const { id } = await ask(message(task), as);
  const [headers, signal] = [{ ...VERSION, ...as }, AbortSignal.timeout(5_000)];
  const reply = await fetch(`${world.url}/a2a/tasks/${id}:subscribe`, { method: 'HEAD', headers, signal });
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  expect(await reply.text()).toBe('');
});
