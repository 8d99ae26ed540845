import { describe, expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '#libs/kernel/json.js';
import { a2aOf, data, message, paymentMessage, reason } from '../a2a.js';
import { type HeaderFields, type RawAgent, send, textOf } from '../raw-agent.js';
import type { ReceivedMessage } from '../webhook-receiver.js';
import { QUIET_MS, useWebhookWorld } from './webhook-world.js';

const { hooks, world, receiver } = useWebhookWorld();

const { rpc, rest, member, ask } = a2aOf(() => world.url);
const task = 'Translate the manual into French.';
const bearer = { scheme: 'Bearer', credentials: 'c'.repeat(40) };

const create = (as: HeaderFields, config: object) => rpc('CreateTaskPushNotificationConfig', config, as);
const configs = async (as: HeaderFields, taskId: string) =>
  (await rpc('ListTaskPushNotificationConfigs', { taskId }, as)).result!['configs'] ?? [];
const eventOf = ({ body }: ReceivedMessage) => body as unknown as { readonly [kind: string]: JsonObject };
const stateOf = (update: JsonObject) => (update['status'] as { readonly state: string }).state;
const pushing = (sent: object, config: object) => ({
  ...sent,
  configuration: { taskPushNotificationConfig: { url: receiver.url, ...config } },
});

async function delivers(hire: string, worker: RawAgent, text: string): Promise<void> {
  const post_id = textOf(await worker.ok('post', { text }), 'id');
  await worker.ok('deliver', { hire, post_id });
}

/** Applies, hires and delivers, waiting for the push of each step. Returns the hire. */
async function worked(role: string, worker: RawAgent, as: HeaderFields): Promise<string> {
  await worker.ok('apply', { role, note: 'Gladly.' });
  await receiver.waitFor(1);
  const hired = await ask(message(`hire ${worker.museId}`, { taskId: role }), as);
  const hire = /"hire":(\d+)/.exec(JSON.stringify(hired.status.message))![1]!;
  await receiver.waitFor(2);
  await delivers(hire, worker, 'Bonjour');
  await receiver.waitFor(3);
  return hire;
}

describe('a push configuration', () => {
  test('sends each change of the task in order and is deleted when the task ends', async () => {
    const [as, worker] = [await member(), await world.raw('Wanda')];
    const { id } = await ask(message(task, { contextId: 'mine' }), as);
    await create(as, { taskId: id, url: receiver.url, token: 'my-token', authentication: bearer });
    const hire = await worked(id, worker, as);
    await delivers(hire, worker, 'Bonjour, encore');
    await receiver.waitFor(4);
    await ask(message('accept', { taskId: id }), as);
    await receiver.waitFor(5);
    await world.settle();
    await pause(QUIET_MS);
    const all = receiver.messages.map(eventOf);
    expect(all.map(each => Object.keys(each))).toEqual([
      ['statusUpdate'],
      ['statusUpdate'],
      ['task'],
      ['artifactUpdate'],
      ['task'],
    ]);
    const [applied, hired, delivered, again, done] = all.map(each => Object.values(each)[0]!);
    expect([applied!, hired!, delivered!, done!].map(stateOf)).toEqual([
      'TASK_STATE_INPUT_REQUIRED',
      'TASK_STATE_WORKING',
      'TASK_STATE_INPUT_REQUIRED',
      'TASK_STATE_COMPLETED',
    ]);
    expect(applied).toMatchObject({ taskId: id, contextId: 'mine', metadata: { role: id, status: 'applied' } });
    expect(again).toMatchObject({ taskId: id, artifact: { artifactId: `delivery-${hire}` }, lastChunk: true });
    expect(done).toEqual((await rpc('GetTask', { id }, as)).result);
    for (const { headers } of receiver.messages)
      expect(headers).toMatchObject({
        'content-type': 'application/a2a+json',
        authorization: `Bearer ${bearer.credentials}`,
        'x-a2a-notification-token': 'my-token',
        'webhook-id': expect.stringMatching(/^msg_[0-9a-f]{32}$/),
      });
    expect(await configs(as, id)).toEqual([]);
    expect(reason(await create(as, { taskId: id, url: receiver.url }))).toBe('UNSUPPORTED_OPERATION');
  }, 30_000);

  test('is shown without secrets to its owner only, over both bindings', async () => {
    const [as, other] = [await member(), await member()];
    const { id: taskId } = await ask(message(task), as);
    const given = { taskId, id: 'my config/1', url: receiver.url };
    const made = await create(as, { ...given, token: 'my-token', authentication: bearer });
    expect(made.result).toEqual({ ...given, authentication: { scheme: 'Bearer' } });
    const path = `/tasks/${taskId}/pushNotificationConfigs`;
    const unnamed = await rest(path, as, { body: { url: receiver.url } });
    const own = taskId;
    expect(unnamed).toMatchObject({ status: 200, body: { taskId, id: own } });
    expect(await configs(as, taskId)).toMatchObject([{ id: given.id }, { id: own }]);
    expect((await rest(`${path}/${encodeURIComponent(given.id)}`, as)).body).toEqual(made.result);
    for (const method of ['Get', 'Delete'])
      expect([
        method,
        (await rpc(`${method}TaskPushNotificationConfig`, { taskId, id: own }, other)).error?.code,
      ]).toEqual([method, -32001]);
    expect((await rpc('ListTaskPushNotificationConfigs', { taskId }, other)).error?.code).toBe(-32001);
    expect((await create(other, given)).error?.code).toBe(-32001);
    for (const sending of [{ method: 'DELETE' }, {}])
      expect((await rest(`${path}/${own}`, other, sending)).status).toBe(404);
    expect((await rest(path, {})).status).toBe(401);
    for (let twice = 0; twice < 2; twice += 1)
      expect(await rest(`${path}/${own}`, as, { method: 'DELETE' })).toMatchObject({ status: 200, body: {} });
    expect((await rest(`${path}/${own}`, as)).body).toMatchObject({ error: { code: 404 } });
    expect((await rpc('GetTaskPushNotificationConfig', { taskId, id: own }, as)).error?.code).toBe(-32001);
    expect(await configs(as, taskId)).toMatchObject([{ id: given.id }]);
  });

  test('can come with the message that posts a job and replaces the one of its name', async () => {
    const [as, worker] = [await member(), await world.raw('Wilma')];
    const sent = pushing(message(task), { id: 'one', authentication: bearer });
    const { id } = await ask(sent, as);
    expect((await ask(sent, as)).id).toBe(id);
    const other = pushing(message(`follow ${id}`), { id: 'one', url: hooks.other.url, token: 'the newer' });
    await ask(other, as);
    expect(await configs(as, id)).toEqual([{ taskId: id, id: 'one', url: hooks.other.url }]);
    const listed = () => send(world.url, '/api/webhook', { body: { action: 'list', form: 'a2a' }, headers: as });
    const before = (await listed()).body['webhooks'];
    await ask(
      pushing(message('status of it', { taskId: id }), { id: 'one', url: hooks.other.url, token: 'the newer' }),
      as,
    );
    expect((await listed()).body['webhooks']).toEqual(before);
    await worker.ok('apply', { role: id, note: 'Gladly.' });
    const [only] = await hooks.other.waitFor(1);
    expect(only!.headers).toMatchObject({ 'x-a2a-notification-token': 'the newer' });
    expect(only!.headers).not.toHaveProperty('authorization');
    await pause(QUIET_MS);
    expect(receiver.messages).toEqual([]);
    await rpc('CancelTask', { id }, as);
    await hooks.other.waitFor(2);
    await world.settle();
    expect((await ask(sent, as)).status.state).toBe('TASK_STATE_CANCELED');
    expect(await configs(as, id)).toEqual([]);
    const search = pushing(data({ skillId: 'find-workers', q: 'nobody at all' }), {});
    expect((await rpc('SendMessage', search, as)).result).toHaveProperty('message');
  });

  test('with a private address or an invalid header is refused before anything is posted', async () => {
    const as = await member();
    const { id: taskId } = await ask(message(task), as);
    const hostile: JsonObject[] = [
      ...[
        '',
        'http://10.0.0.1/',
        'https://127.0.0.1/',
        'https://[::1]/',
        'http://example.com/',
        'file:///etc/passwd',
      ].map(url => ({ url })),
      { token: 'two\r\nlines: 1' },
      { authentication: { scheme: 'Bearer\r\nx', credentials: 'c' } },
      { authentication: { scheme: 'Bearer', credentials: 'c\u0000' } },
      { authentication: { scheme: '', credentials: 'alone' } },
      { id: 'i'.repeat(101) },
      { token: 'ä' },
    ];
    for (const config of hostile) {
      const whole = { taskId, url: receiver.url, ...config };
      expect([config, (await create(as, whole)).error?.code]).toEqual([config, -32602]);
      expect([config, (await rest(`/tasks/${taskId}/pushNotificationConfigs`, as, { body: whole })).status]).toEqual([
        config,
        400,
      ]);
      expect([config, (await rpc('SendMessage', pushing(message(task), config), as)).error?.code]).toEqual([
        config,
        -32602,
      ]);
    }
    expect(reason(await create(as, { taskId, url: 'https://10.0.0.1/' }))).toBe('URL');
    expect((await rpc('ListTasks', {}, as)).result).toMatchObject({ totalSize: 1 });
    expect(await configs(as, taskId)).toEqual([]);
  });

  test('a push configuration is limited to twenty per task', async () => {
    const as = await member();
    const { id: taskId } = await ask(message(task), as);
    for (let count = 0; count < 20; count += 1) await create(as, { taskId, id: `number ${count}`, url: receiver.url });
    const more = await create(as, { taskId, url: receiver.url });
    expect([more.error?.code, reason(more)]).toEqual([-32000, 'TOO_MANY_WEBHOOKS']);
    const path = `/tasks/${taskId}/pushNotificationConfigs`;
    expect((await rest(path, as, { body: { url: receiver.url } })).status).toBe(409);
  });
});

test('an unpaid task sends no push until it is paid for', async () => {
  const [as, payer, worker] = [await member(), await world.raw('Paula'), await world.raw('Wim')];
  const budget = message(task, { parts: [{ text: task }, { data: { budget_usd: '5' } }] });
  const offered = await ask(pushing(budget, { token: 'of the first message' }), as);
  expect(await configs(as, offered.id)).toEqual([]);
  expect(reason(await create(as, { taskId: offered.id, url: receiver.url }))).toBe('UNSUPPORTED_OPERATION');
  const paid = await ask(await paymentMessage(offered, payer, world.now()), as);
  expect(await configs(as, offered.id)).toMatchObject([{ taskId: offered.id, url: receiver.url }]);
  await worker.ok('apply', { role: paid.metadata!['role'] as string, note: 'Gladly.' });
  const [applied] = await receiver.waitFor(1);
  expect(eventOf(applied!)).toMatchObject({ statusUpdate: { taskId: offered.id } });
  expect(applied!.headers).toMatchObject({ 'x-a2a-notification-token': 'of the first message' });
});

/** Blocks the freeing of seats until the returned function is called. */
function seatsHeld(): () => void {
  const { log } = world.service.stores;
  const append = log.append.bind(log);
  let release = () => {};
  const held = new Promise<void>(resolve => (release = resolve));
  log.append = async (...args) => {
    if (args[2].some(({ type }) => type === 'SeatFreed')) await held;
    return append(...args);
  };
  return () => {
    log.append = append;
    release();
  };
}

test('a hire that ends keeps its task open, even before its seat is free', async () => {
  const [as, worker] = [await member(), await world.raw('Quincy')];
  const { id } = await ask(pushing(message(task), {}), as);
  await worker.ok('apply', { role: id, note: 'Gladly.' });
  await receiver.waitFor(1);
  const hired = await ask(message(`hire ${worker.museId}`, { taskId: id }), as);
  const hire = /"hire":(\d+)/.exec(JSON.stringify(hired.status.message))![1]!;
  await receiver.waitFor(2);
  const release = seatsHeld();
  const ending = worker.ok('end_hire', { hire, reason: 'No time for it any more.' });
  const [, , ended] = await receiver.waitFor(3);
  const open = { status: { state: 'TASK_STATE_SUBMITTED' }, metadata: { role: id, status: 'open', open: true } };
  expect(eventOf(ended!)).toMatchObject({ statusUpdate: open });
  expect((await rpc('GetTask', { id }, as)).result).toMatchObject(open);
  expect(await world.eventTypes(`job-${id}`)).not.toContain('SeatFreed');
  release();
  await ending;
  expect(await configs(as, id)).toHaveLength(1);
  await worker.ok('apply', { role: id, note: 'Now there is time.' });
  await receiver.waitFor(4);
});
