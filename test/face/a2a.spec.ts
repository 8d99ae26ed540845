import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Role, StreamResponse, type Task, TaskState, verifyAgentCardSignature } from '@a2a-js/sdk';
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';
import { type RawAgent, send } from '../raw-agent.js';
import { type ReceivedMessage, WebhookReceiver } from '../webhook-receiver.js';
import { CLEAN, World } from '../world.js';
import { waitUntil } from '../wait-until.js';

let world: World;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  world = await World.start({ settings: { FETCH_ALLOW: receiver.host } });
});
afterAll(async () => {
  await world.stop();
  await receiver.stop();
});

/** Returns a member with a token and an SDK client that uses it. */
async function caller(name: string, binding: string) {
  const { body } = await send(world.url, '/api/quickstart', { body: { name, kind: 'publisher' } });
  const requests: string[] = [];
  const { token, muse_id: museId } = body as { token: string; muse_id: string };
  const authorized: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${token}`);
    requests.push(new URL(input as string).pathname);
    return fetch(input, { ...init, headers });
  };
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [
      new JsonRpcTransportFactory({ fetchImpl: authorized }),
      new RestTransportFactory({ fetchImpl: authorized }),
    ],
    preferredTransports: [binding],
  });
  const client = await new ClientFactory(options).createFromUrl(world.url);
  return { client, token, museId, requests };
}

let messages = 0;
const message = (text: string, more: { data?: object; taskId?: string } = {}) => ({
  tenant: '',
  message: {
    messageId: `message-${(messages += 1)}`,
    role: Role.ROLE_USER,
    contextId: '',
    taskId: more.taskId ?? '',
    parts: [
      ...(text === ''
        ? []
        : [{ content: { $case: 'text' as const, value: text }, metadata: undefined, filename: '', mediaType: '' }]),
      ...(more.data
        ? [{ content: { $case: 'data' as const, value: more.data }, metadata: undefined, filename: '', mediaType: '' }]
        : []),
    ],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  },
  configuration: undefined,
  metadata: undefined,
});

const stateOf = (task: Task) => TaskState[task.status!.state];

async function keyOf(kid: string, jku?: string) {
  const { keys } = (await (await fetch(jku!)).json()) as { keys: (JsonWebKey & { kid: string })[] };
  return createPublicKey({ key: keys.find(key => key.kid === kid)!, format: 'jwk' });
}

describe.each(['JSONRPC', 'HTTP+JSON'])('the JavaScript client over %s', binding => {
  const own = binding.toLowerCase().replace('+', '-');
  let client: Client;
  let requests: string[];
  let worker: RawAgent;
  beforeAll(async () => {
    ({ client, requests } = await caller(`poster ${own}`, binding));
    worker = await world.raw(`worker ${own}`);
    await worker.post('profile', { skills: own, open_to_work: 'true' });
    await world.settle();
  });

  test('verifies the card', async () => {
    const card = await client.getAgentCard(undefined, verifyAgentCardSignature(keyOf));
    expect(card.skills.map(({ id }) => id)).toEqual(['find-workers', 'post-job', 'follow-job']);
  });

  test('finds workers', async () => {
    const sent = message('', { data: { skillId: 'find-workers', skill: own } });
    const answer = await client.sendMessage(sent);
    expect(JSON.stringify(answer)).toContain(worker.museId);
    expect(JSON.stringify(await client.sendMessage(message(`Find worker ${own}`)))).toContain(worker.museId);
  });

  test('posts a job and follows it until it is done', async () => {
    const sent = message(`Translate the manual into French for ${own}.`, { data: { skills: own } });
    const posted = (await client.sendMessage(sent)) as Task;
    expect(stateOf(posted)).toBe('TASK_STATE_SUBMITTED');
    expect(posted.metadata!['candidates']).toMatchObject([{ muse_id: worker.museId }]);
    expect(((await client.sendMessage(sent)) as Task).id).toBe(posted.id);
    const states: string[] = [];
    const following = (async () => {
      for await (const { payload } of client.resubscribeTask({ tenant: '', id: posted.id }))
        if (payload?.$case === 'statusUpdate') states.push(TaskState[payload.value.status!.state]);
        else states.push(payload!.$case);
    })();
    await worker.post('apply', { role: posted.id, note: 'Gladly.' });
    await world.settle();
    const applied = await client.getTask({ tenant: '', id: posted.id });
    expect(stateOf(applied)).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(JSON.stringify(applied.status!.message)).toContain(worker.museId);
    const hired = (await client.sendMessage(message(`hire ${worker.museId}`, { taskId: posted.id }))) as Task;
    expect(stateOf(hired)).toBe('TASK_STATE_WORKING');
    const tasks = await client.listTasks({
      tenant: '',
      contextId: '',
      status: 0,
      pageToken: '',
      statusTimestampAfter: undefined,
    });
    expect(tasks).toMatchObject({ tasks: [{ id: posted.id }], totalSize: 1 });
    const hire = /"hire":(\d+)/.exec(JSON.stringify(hired.status!.message))![1]!;
    await worker.post('deliver', { hire, url: world.page(`Bonjour ${own}`) });
    await world.settle();
    const delivered = await client.getTask({ tenant: '', id: posted.id });
    expect(stateOf(delivered)).toBe('TASK_STATE_INPUT_REQUIRED');
    expect(delivered.artifacts).toMatchObject([{ artifactId: `delivery-${hire}` }]);
    const done = (await client.sendMessage(message('accept', { taskId: posted.id }))) as Task;
    expect(stateOf(done)).toBe('TASK_STATE_COMPLETED');
    await following;
    expect(states[0]).toBe('task');
    expect(states).toContain('artifactUpdate');
    expect(states.at(-1)).toBe('TASK_STATE_COMPLETED');
  }, 60_000);

  test('cancels a job', async () => {
    const posted = (await client.sendMessage(message('Count the pages of the manual.'))) as Task;
    const canceled = await client.cancelTask({ tenant: '', id: posted.id, metadata: undefined });
    expect(stateOf(canceled)).toBe('TASK_STATE_CANCELED');
    await expect(client.cancelTask({ tenant: '', id: posted.id, metadata: undefined })).rejects.toMatchObject({
      name: 'TaskNotCancelableError',
    });
    await expect(client.getTask({ tenant: '', id: 'job-1' })).rejects.toMatchObject({ name: 'TaskNotFoundError' });
  });

  test('creates, lists and deletes push notifications and receives them', async () => {
    receiver.messages.length = 0;
    const { id: taskId } = (await client.sendMessage(message('Count the lines of the manual.'))) as Task;
    const config = {
      tenant: '',
      id: 'from-the-sdk',
      taskId,
      url: receiver.url,
      token: '',
      authentication: { scheme: 'Bearer', credentials: 'known-to-the-receiver' },
    };
    const shown = { ...config, authentication: { scheme: 'Bearer', credentials: '' } };
    expect(await client.createTaskPushNotificationConfig(config)).toEqual(shown);
    const other = await client.createTaskPushNotificationConfig({ ...config, id: '', authentication: undefined });
    const named = { tenant: '', taskId, id: config.id };
    expect(await client.getTaskPushNotificationConfig(named)).toEqual(shown);
    const all = () =>
      client
        .listTaskPushNotificationConfig({ tenant: '', taskId, pageSize: 0, pageToken: '' })
        .then(listed => listed.configs);
    expect(await all()).toEqual([shown, other]);
    await client.deleteTaskPushNotificationConfig({ tenant: '', taskId, id: other.id });
    expect(await all()).toEqual([shown]);
    await client.cancelTask({ tenant: '', id: taskId, metadata: undefined });
    const [{ headers, body }] = (await receiver.waitFor(1)) as [ReceivedMessage];
    expect(headers['authorization']).toBe('Bearer known-to-the-receiver');
    const { payload } = StreamResponse.fromJSON(body);
    expect(payload).toMatchObject({ $case: 'task', value: { id: taskId } });
    expect(stateOf(payload!.value as Task)).toBe('TASK_STATE_CANCELED');
    await waitUntil(async () => (await all()).length === 0);
    await expect(client.getTaskPushNotificationConfig(named)).rejects.toMatchObject({ name: 'TaskNotFoundError' });
  });

  test('uses no other binding', () => {
    expect(requests.length).toBeGreaterThan(10);
    expect(requests.every(path => (path === '/a2a') === (binding === 'JSONRPC') && path.startsWith('/a2a'))).toBe(true);
  });
});

test('the log of the official A2A clients passes the audit', async () => {
  expect(await world.audit()).toEqual(CLEAN);
});
