import { beforeAll, describe, expect, test } from '@jest/globals';
import { X402_EXTENSION } from '#libs/channels/a2a/protocol.js';
import { a2aOf, legacyMessage, paymentMessage, type Task } from '../a2a.js';
import type { HeaderFields } from '../raw-agent.js';
import { useSharedWorld } from '../use-world.js';

const task = 'Translate the manual into French.';

const world = useSharedWorld();
let as: HeaderFields;
beforeAll(async () => {
  as = await member();
});

const { legacyRpc, rest, member } = a2aOf(() => world.url);
const call = (method: string, params: object, headers: HeaderFields = {}) =>
  legacyRpc(method, params, { ...as, ...headers });

test('pays for a job with the metadata of a message and confirms the extension', async () => {
  const payer = await world.raw('Payer');
  const parts = [{ kind: 'data', data: { task, budget_usd: '5' } }];
  const activated = { 'x-a2a-extensions': X402_EXTENSION };
  const offered = await call('message/send', legacyMessage('', { parts }), activated);
  expect(offered.headers.get('x-a2a-extensions')).toBe(X402_EXTENSION);
  expect(offered.result).toMatchObject({
    status: { state: 'input-required', message: { metadata: { 'x402.payment.status': 'payment-required' } } },
  });
  const { message: paid } = await paymentMessage(offered.result as unknown as Task, payer, world.now());
  const { metadata } = paid as unknown as { readonly metadata: object };
  const posted = await call('message/send', legacyMessage('Here it is.', { taskId: offered.result!['id'], metadata }));
  expect(posted.result).toMatchObject({ status: { state: 'submitted' }, metadata: { budget: { usd: '5' } } });
});

describe('JSON-RPC without a version', () => {
  test.each([
    ['GetTask', undefined, -32009],
    ['SendMessage', '0.3', -32009],
    ['message/send', '0.3.0', undefined],
    ['message/send', '', undefined],
    ['message/send', '1.0', -32601],
    ['message/send', '0.2', -32009],
    ['message/send', '2.0', -32009],
    ['tasks/list', '0.3', -32601],
    ['toString', '0.3', -32601],
    ['agent/getAuthenticatedExtendedCard', '0.3', -32007],
  ])('answers %s of version %s with %s', async (method, version, code) => {
    const headers: HeaderFields = version === undefined ? {} : { 'a2a-version': version };
    expect((await call(method, legacyMessage('Hello!'), headers)).error?.code).toBe(code);
  });

  test('refuses HTTP+JSON', async () => {
    const body = legacyMessage(task);
    expect(await rest('/message:send', { ...as, 'a2a-version': '0.3' }, { body })).toMatchObject({
      status: 400,
      body: { error: { details: [{ reason: 'VERSION_NOT_SUPPORTED' }] } },
    });
  });

  test('keeps status, code and reason of a refusal', async () => {
    const unsigned = await call('message/send', legacyMessage(task), { authorization: '' });
    expect(unsigned).toMatchObject({ status: 401, error: { data: [{ reason: 'UNSIGNED' }] } });
    const close = legacyMessage('close', { taskId: 'job-1' });
    expect(await call('message/send', close)).toMatchObject({ status: 200, error: { code: -32001 } });
    const config = { url: 'http://127.0.0.1:1/', authentication: { schemes: ['Bearer'] } };
    const pushed = { ...legacyMessage(task), configuration: { pushNotificationConfig: config } };
    expect((await call('message/send', pushed)).error).toMatchObject({
      code: -32602,
      data: [{ metadata: { field: 'url' } }],
    });
    expect((await call('message/stream', close)).error?.code).toBe(-32001);
  });

  const url = 'https://agent.example/tasks';
  const pushTo = (config: object) => ({ ...legacyMessage(task), configuration: { pushNotificationConfig: config } });
  test.each([
    ['message/send', [], 'params'],
    ['message/send', {}, 'message'],
    ['message/send', { message: 'x' }, 'message'],
    ['message/send', legacyMessage(task, { messageId: 5 }), 'message.messageId'],
    ['message/send', legacyMessage(task, { messageId: '' }), 'messageId'],
    ['message/send', legacyMessage(task, { role: 'ROLE_USER' }), 'message.role'],
    ['message/send', legacyMessage(task, { parts: task }), 'message.parts'],
    ['message/send', legacyMessage(task, { parts: [{ text: task }] }), 'message.parts.0'],
    ['message/send', legacyMessage(task, { parts: [{ kind: 'text', text: null }] }), 'message.parts.0.text'],
    ['message/send', legacyMessage(task, { parts: [{ kind: 'text' }] }), 'message.parts.0'],
    ['message/send', legacyMessage(task, { parts: [{ kind: 'data', data: 5 }] }), 'message.parts.0.data'],
    ['message/send', legacyMessage(task, { parts: [{ kind: 'file' }] }), 'message.parts.0'],
    ['message/send', legacyMessage(task, { metadata: [] }), 'message.metadata'],
    ['message/send', legacyMessage(task, { extensions: 'x' }), 'message.extensions'],
    ['message/send', pushTo({}), 'configuration.pushNotificationConfig'],
    ['message/send', pushTo({ url, authentication: { schemes: 'Bearer' } }), 'authentication.schemes'],
    ['message/send', pushTo({ url, authentication: { schemes: [] } }), 'authentication.schemes'],
    ['message/stream', legacyMessage(task, { taskId: {} }), 'message.taskId'],
    ['tasks/get', {}, 'id'],
    ['tasks/get', { id: 5 }, 'id'],
    ['tasks/cancel', { id: null }, 'id'],
    ['tasks/resubscribe', { id: {} }, 'id'],
    ['tasks/pushNotificationConfig/set', { taskId: 'job-1' }, 'pushNotificationConfig'],
    ['tasks/pushNotificationConfig/delete', { id: 'job-1' }, 'pushNotificationConfigId'],
  ])('%s of %j names %s in a -32602 error', async (method, params, name) => {
    const { status, error } = await call(method, params);
    expect([status, error?.code, error?.message]).toEqual([200, -32602, expect.stringContaining(name)]);
  });

  test('JSON-RPC without a version refuses files', async () => {
    const file = { kind: 'file', file: { bytes: 'QUJD' } };
    expect((await call('message/send', legacyMessage(task, { parts: [file] }))).error?.code).toBe(-32005);
  });
});
