import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, ClientFactory, ClientFactoryOptions, JsonRpcTransportFactory } from 'a2a-sdk-v0.3/client';
import type { JsonObject } from '#libs/kernel/json.js';
import { a2aOf, legacyMessage } from '../a2a.js';
import { type HeaderFields, send } from '../raw-agent.js';
import { QUIET_MS, useWebhookWorld } from './webhook-world.js';

const { hooks, world, receiver } = useWebhookWorld();

const LEGACY_CARD = '/.well-known/agent.json';
const task = 'Translate the manual into French.';

let as: HeaderFields;
let client: Client;
beforeAll(async () => {
  as = await member();
  client = await clientOf(as);
});

const { rpc, legacyRpc, member } = a2aOf(() => world.url);

/** Returns the client of A2A 0.3 that the card at a path configures. */
function clientOf(headers: HeaderFields, path?: string): Promise<Client> {
  const fetchImpl: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as HeaderFields), ...headers } });
  const transports = [new JsonRpcTransportFactory({ fetchImpl })];
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { transports });
  return new ClientFactory(options).createFromUrl(world.url, path);
}

const stateIn = (value: unknown) => (value as { readonly status: { readonly state: string } }).status.state;

describe('the client of A2A 0.3', () => {
  test.each([undefined, LEGACY_CARD])('finds workers with the card at %s', async path => {
    const worker = await world.raw(`Finder of ${path}`);
    await worker.post('profile', { skills: 'frisian' });
    await world.settle();
    const reply = await (
      await clientOf({}, path)
    ).sendMessage(
      legacyMessage('', { parts: [{ kind: 'data', data: { skillId: 'find-workers', skill: 'frisian' } }] }),
    );
    expect(reply).toMatchObject({ kind: 'message', role: 'agent' });
    expect(JSON.stringify(reply)).toContain(worker.museId);
  });

  test('posts a job and follows it until it is done', async () => {
    const worker = await world.raw('Wim');
    const updates: { readonly kind: string; readonly final?: boolean; readonly status?: { readonly state: string } }[] =
      [];
    const sent = legacyMessage(task, { contextId: 'mine' });
    const posted = (await client.sendMessage(sent)) as { readonly id: string };
    expect(posted).toMatchObject({ kind: 'task', contextId: 'mine', status: { state: 'submitted' } });
    expect(await client.sendMessage(sent)).toMatchObject({ id: posted.id });
    const following = (async () => {
      for await (const update of client.resubscribeTask({ id: posted.id })) updates.push(update);
    })();
    await worker.ok('apply', { role: posted.id, note: 'Gladly.' });
    await world.settle();
    const applied = await client.getTask({ id: posted.id });
    expect([stateIn(applied), JSON.stringify(applied)]).toEqual([
      'input-required',
      expect.stringContaining(worker.museId),
    ]);
    const hired = await client.sendMessage(legacyMessage(`hire ${worker.museId}`, { taskId: posted.id }));
    expect(stateIn(hired)).toBe('working');
    const hire = /"hire":(\d+)/.exec(JSON.stringify(hired))![1]!;
    await worker.ok('deliver', { hire, url: world.page('Bonjour') });
    await world.settle();
    const done = await client.sendMessage(legacyMessage('accept', { taskId: posted.id }));
    expect(done).toMatchObject({
      artifacts: [{ artifactId: `delivery-${hire}`, parts: [{ kind: 'file' }, { kind: 'data' }] }],
    });
    await following;
    expect(updates[0]).toMatchObject({ kind: 'task' });
    expect(updates.map(({ kind }) => kind)).toContain('artifact-update');
    expect(updates.at(-1)).toMatchObject({ kind: 'status-update', final: true, status: { state: 'completed' } });
    await expect(client.resubscribeTask({ id: posted.id }).next()).rejects.toThrow('-32004');
  }, 60_000);

  test('streams a message until the task needs input', async () => {
    const worker = await world.raw('Sofie');
    const stream = client.sendMessageStream(legacyMessage(task));
    const first = (await stream.next()).value as { readonly id: string };
    await worker.ok('apply', { role: first.id, note: 'Gladly.' });
    const { value: last } = await stream.next();
    expect(last).toMatchObject({ kind: 'status-update', final: true, status: { state: 'input-required' } });
    expect(await stream.next()).toMatchObject({ done: true });
  });

  test('the client of A2A 0.3 cancels a job once and sees no job of another caller', async () => {
    const { id } = (await client.sendMessage(legacyMessage(task))) as { readonly id: string };
    const other = await clientOf(await member());
    await expect(other.getTask({ id })).rejects.toMatchObject({ name: 'TaskNotFoundError' });
    expect(stateIn(await client.cancelTask({ id }))).toBe('canceled');
    await expect(client.cancelTask({ id })).rejects.toMatchObject({ name: 'TaskNotCancelableError' });
  });

  test('creates, lists and deletes push configurations and receives bare tasks', async () => {
    const { id: taskId } = (await client.sendMessage({
      ...legacyMessage(task),
      configuration: { pushNotificationConfig: { url: receiver.url, token: 'known' } },
    })) as { readonly id: string };
    const config = {
      id: 'mine',
      url: hooks.other.url,
      authentication: { schemes: ['Bearer', 'Basic'], credentials: 'secret' },
    };
    const shown = { taskId, pushNotificationConfig: { ...config, authentication: { schemes: ['Bearer'] } } };
    const first = { taskId, pushNotificationConfig: { id: taskId, url: receiver.url } };
    expect(await client.setTaskPushNotificationConfig({ taskId, pushNotificationConfig: config })).toEqual(shown);
    expect(await client.listTaskPushNotificationConfig({ id: taskId })).toEqual([first, shown]);
    const named = { id: taskId, pushNotificationConfigId: 'mine' };
    expect(await client.getTaskPushNotificationConfig(named)).toEqual(shown);
    expect((await legacyRpc('tasks/pushNotificationConfig/get', { id: taskId }, as)).result).toEqual(first);
    const listed = await rpc('ListTaskPushNotificationConfigs', { taskId }, as);
    expect(listed.result!['configs']).toMatchObject([
      { id: taskId },
      { id: 'mine', authentication: { scheme: 'Bearer' } },
    ]);
    await client.deleteTaskPushNotificationConfig(named);
    expect(await client.listTaskPushNotificationConfig({ id: taskId })).toEqual([first]);
    const worker = await world.raw('Pieter');
    await worker.ok('apply', { role: taskId, note: 'Gladly.' });
    await receiver.waitFor(1);
    await client.cancelTask({ id: taskId });
    const [applied, canceled] = (await receiver.waitFor(2)).map(({ body }) => body as JsonObject);
    expect(applied).toMatchObject({ kind: 'task', id: taskId, status: { state: 'input-required' } });
    expect(canceled).toMatchObject({ kind: 'task', id: taskId, status: { state: 'canceled' } });
    expect(receiver.messages[0]!.headers).toMatchObject({
      'content-type': 'application/json',
      'x-a2a-notification-token': 'known',
    });
    await pause(QUIET_MS);
    expect(hooks.other.messages).toEqual([]);
  });
});

test('a configuration of one version replaces that of the other with its id', async () => {
  const { result } = await legacyRpc('message/send', legacyMessage(task), as);
  const taskId = result!['id'] as string;
  const created = await rpc('CreateTaskPushNotificationConfig', { taskId, id: 'mine', url: receiver.url }, as);
  expect(created.error).toBeUndefined();
  const pushNotificationConfig = { id: 'mine', url: receiver.url };
  await legacyRpc('tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig }, as);
  await legacyRpc('tasks/cancel', { id: taskId }, as);
  await receiver.waitFor(1);
  await pause(QUIET_MS);
  expect(receiver.messages.map(({ body }) => body)).toMatchObject([{ kind: 'task', id: taskId }]);
});

test('the card has the members of both versions at both paths', async () => {
  const { body } = await send(world.url, '/.well-known/agent-card.json');
  expect((await send(world.url, LEGACY_CARD)).body).toEqual(body);
  expect(body).toMatchObject({
    url: `${world.url}/a2a`,
    preferredTransport: 'JSONRPC',
    protocolVersion: '0.3.0',
    securitySchemes: { bearer: { type: 'http', scheme: 'Bearer', httpAuthSecurityScheme: { scheme: 'Bearer' } } },
    supportedInterfaces: [{ protocolVersion: '1.0' }, { protocolVersion: '1.0' }],
  });
});
