import { expect, test } from '@jest/globals';
import { a2aOf, message, reason } from '../a2a.js';
import { type HeaderFields, send, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();

const { rpc, rest, member, ask, get } = a2aOf(() => world.url);
const task = 'Translate the manual into French.';

const part = (taskId: string, value: object) => message('', { taskId, parts: [{ data: value }] });

/** Asserts that neither texts without a command nor refused data change the task. */
async function leaves(taskId: string, as: HeaderFields, texts: readonly string[], refused: readonly object[]) {
  const before = await get(taskId, as);
  for (const text of texts) expect([text, await ask(message(text, { taskId }), as)]).toEqual([text, before]);
  for (const value of refused)
    expect([value, (await rpc('SendMessage', part(taskId, value), as)).error?.code]).toEqual([value, -32602]);
  await world.settle();
  expect(await get(taskId, as)).toEqual(before);
}

test('a text that refuses or is ambiguous hires, accepts, pays and closes nothing', async () => {
  const [as, worker] = [await member(), await world.raw('Nora')];
  const { id } = await ask(message(task), as);
  await worker.ok('apply', { role: id, note: 'Gladly.' });
  await world.settle();
  const { museId } = worker;
  const undecided = [`Hire ${museId}? No, wait for others.`, `hire ${museId} only if cheap`, `do not hire ${museId}`];
  await leaves(id, as, [...undecided, 'close? not yet', 'Cancel nothing'], [{ close: false }, { close: null }]);
  const hired = await ask(message(`Hire ${museId}.`, { taskId: id }), as);
  expect(hired.status.state).toBe('TASK_STATE_WORKING');
  const hire = Number(/"hire":(\d+)/.exec(JSON.stringify(hired.status.message))![1]);
  const post = textOf(await worker.ok('post', { text: 'Bonjour' }), 'id');
  await worker.ok('deliver', { hire: String(hire), post_id: post });
  await world.settle();
  const unsure = ['Accept? No, the last line is missing.', 'accept nothing until it is fixed', 'pay nobody', 'not yet'];
  const no = [{ accept: false }, { accept: null }, { accept: '' }, { accept: {} }, { pay: false }, { close: false }];
  await leaves(id, as, unsure, no);
  expect((await ask(message(`accept ${hire}`, { taskId: id }), as)).status.state).toBe('TASK_STATE_COMPLETED');
});

test('a text or data that hires names the wage', async () => {
  const [poster, one, two, three] = await world.raws('Paula', 'One', 'Two', 'Three');
  const token = textOf(await poster.ok('token', { action: 'issue' }), 'token');
  const as = { authorization: `Bearer ${token}` };
  const role = await poster.postJob({ budget_usd: '10', seats: '3' });
  await one.ok('apply', { role, note: 'Gladly.', ask_usd: '7.5' });
  for (const agent of [two, three]) await agent.ok('apply', { role, note: 'Gladly.' });
  await world.settle();
  const shown = await get(role, as);
  expect(JSON.stringify(shown.status.message)).toContain('"ask":{"amount":"7500000","usd":"7.5"}');
  const send = (sent: object) => rpc('SendMessage', sent, as);
  const refused = await send(message(`hire ${one.museId} 10`, { taskId: role }));
  expect(reason(refused)).toBe('ASK_CHANGED');
  expect((await send(part(role, { hire: two.museId, wage_usd: '7.5' }))).error).toBeDefined();
  for (const sent of [
    message(`hire ${one.museId} 7.50.`, { taskId: role }),
    part(role, { hire: two.museId, wage: '10000000' }),
    message(`hire ${three.museId}`, { taskId: role }),
  ])
    expect(await send(sent)).not.toHaveProperty('error');
  await world.settle();
  const { hires } = await world.read(`/api/role/${role}/hires`);
  const wages = (hires as unknown as readonly { wage: { usd: string } }[]).map(({ wage }) => wage.usd);
  expect(wages.sort()).toEqual(['10', '10', '7.5']);
});

test('refuses a message with another context than its task or with the agent role', async () => {
  const as = await member();
  const { id } = await ask(message(task, { contextId: 'mine' }), as);
  const sent = (more: object) => rpc('SendMessage', message('close', { taskId: id, ...more }), as);
  expect((await sent({ contextId: 'other' })).error?.code).toBe(-32602);
  expect((await sent({ role: 'ROLE_AGENT' })).error?.code).toBe(-32602);
  expect((await get(id, as)).status.state).toBe('TASK_STATE_SUBMITTED');
  expect((await ask(message('close', { taskId: id, contextId: 'mine' }), as)).status.state).toBe('TASK_STATE_CANCELED');
});

test('refuses a JSON-RPC notification and does not execute it', async () => {
  const as = await member();
  const body = { jsonrpc: '2.0', method: 'SendMessage', params: message(task) };
  const { body: answer } = await send(world.url, '/a2a', { body, headers: { 'a2a-version': '1.0', ...as } });
  expect(answer).toMatchObject({ id: null, error: { code: -32600 } });
  expect((await rpc('ListTasks', {}, as)).result).toMatchObject({ totalSize: 0 });
});

test('lists tasks by filter, latest change first, with the total size', async () => {
  const as = await member();
  const made: string[] = [];
  for (const each of ['one', 'two', 'three']) made.push((await ask(message(`Translate page ${each}.`), as)).id);
  await world.advance(1_000);
  await rpc('CancelTask', { id: made[0] }, as);
  const list = async (params: object) => (await rpc('ListTasks', params, as)).result as unknown as Listed;
  const idsOf = ({ tasks }: Listed) => tasks.map(({ id }) => id);
  const all = await list({});
  expect([idsOf(all)[0], all.pageSize, all.totalSize]).toEqual([made[0], 20, 3]);
  expect(await list({ contextId: 'nope' })).toMatchObject({ tasks: [], nextPageToken: '', totalSize: 0 });
  const canceled = await list({ status: 'TASK_STATE_CANCELED', pageSize: 1 });
  expect([idsOf(canceled), canceled.pageSize]).toEqual([[made[0]], 1]);
  const ids: string[] = [];
  for (let pageToken = '', pages = 0; pages < 3; pages += 1) {
    const page = await list({ status: 'TASK_STATE_SUBMITTED', pageSize: 1, pageToken });
    ids.push(...idsOf(page));
    pageToken = page.nextPageToken;
    if (pageToken === '') break;
  }
  expect(ids).toEqual([made[2], made[1]]);
  expect((await rpc('ListTasks', { status: 'zz' }, as)).error?.code).toBe(-32602);
  const other = await rpc('ListTasks', { pageToken: 'zz' }, as);
  expect([other.error?.code, other.error?.message]).toEqual([-32602, expect.stringContaining('pageToken')]);
});

interface Listed {
  readonly tasks: readonly { readonly id: string }[];
  readonly pageSize: number;
  readonly totalSize: number;
  readonly nextPageToken: string;
}

test('HEAD of a task returns the status of GET without a body', async () => {
  const as = await member();
  const { id } = await ask(message(task), as);
  expect((await rest(`/tasks/${id}`, as, { method: 'HEAD' })).status).toBe(200);
  expect((await rest('/tasks/job-1', as, { method: 'HEAD' })).status).toBe(404);
});
