import { expect, test } from '@jest/globals';
import { buildTools } from '#libs/channels/mcp/tool.js';
import type { Method } from '#libs/channels/a2a/operations.js';
import type { LEGACY_SHAPES } from '#libs/channels/a2a/request-shapes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { ROUTES } from '#libs/service/routes.js';
import { a2aOf, legacyMessage, message, reason } from '../a2a.js';
import { callTool } from '../mcp.js';
import { type HeaderFields, newIdempotencyKey, quickstart, type RawAgent, send, textOf } from '../raw-agent.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();
const { rpc, legacyRpc, ask } = a2aOf(() => world.url);

const READABLE = ['whoami', 'messages', 'applications', 'hires', 'tasks', 'inbox', 'token'];
const OWNED = ['key', 'recovery', 'link', 'forget', 'verify', 'verify_operator', 'webhook'];
const KEYS = ['key', 'recovery', 'link'];
const ROUTES_OF_CALLERS = ROUTES.writes.filter(({ caller }) => caller === 'joined' || caller === 'known');

/** Fields of `token` for each kind of token, and whether it may not use an endpoint. */
const KINDS = {
  all: [{ scope: 'all' }, () => false],
  'all with a sum': [{ scope: 'all', spend_usd_a_day: '5' }, (endpoint: string) => KEYS.includes(endpoint)],
  work: [{ scope: 'work' }, (endpoint: string) => OWNED.includes(endpoint)],
  read: [{ scope: 'read' }, (endpoint: string) => !READABLE.includes(endpoint)],
} as const;
type Kind = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as Kind[];

const bearer = (token: string, key = newIdempotencyKey()): HeaderFields => ({
  authorization: `Bearer ${token}`,
  'idempotency-key': key,
});
const issue = async (agent: RawAgent, scope: string) =>
  textOf(await agent.post('token', { action: 'issue', scope }), 'token');
const post = (token: string, endpoint: string, body: JsonObject = {}) =>
  send(world.url, `/api/${endpoint}`, { body, headers: bearer(token) });
const refusal = { status: 403, body: { code: 'scope' } };

const issueKind = async (agent: RawAgent, kind: Kind) =>
  textOf(await agent.post('token', { action: 'issue', ...KINDS[kind][0] }), 'token');

test.each(KIND_NAMES)('each endpoint knows what a token of the kind %s may do', async kind => {
  const agent = await world.raw(`Scoped ${kind}`);
  const token = await issueKind(agent, kind);
  for (const { endpoint, path } of ROUTES_OF_CALLERS) {
    // A token without limits would erase the agent.
    if (endpoint === 'forget' && kind.startsWith('all')) continue;
    const { body } = await send(world.url, path, { body: {}, headers: bearer(token) });
    expect([endpoint, body['code'] === 'scope']).toEqual([endpoint, KINDS[kind][1](endpoint)]);
  }
});

test('a token answers for no key, whatever its scope', async () => {
  const agent = await world.raw('Without its key');
  const signing = ROUTES.writes.filter(({ caller }) => caller === 'newKey' || caller === 'recoveryKey');
  expect(signing.map(({ endpoint }) => endpoint).sort()).toEqual(['identity', 'recover', 'register']);
  for (const kind of KIND_NAMES) {
    const headers = bearer(await issueKind(agent, kind));
    for (const { path } of signing) {
      const { status, body } = await send(world.url, path, { body: {}, headers });
      expect([kind, path, status >= 400, body['ok']]).toEqual([kind, path, true, false]);
    }
  }
});

test('each read takes a token of scope read, but for an instant task', async () => {
  const agent = await world.raw('Reading everything');
  const headers = bearer(await issue(agent, 'read'));
  const reads = [...ROUTES.reads, ...ROUTES.writes.filter(({ byGet }) => byGet)].map(({ path }) => path);
  const paths = reads.filter(path => path.startsWith('/api/'));
  for (const path of paths) {
    const { body } = await send(world.url, path.replaceAll(/:\w+/g, agent.museId), { headers });
    expect([path, body['code'] === 'scope']).toEqual([path, path === '/api/instant']);
  }
});

test('a token of scope read marks no inbox item as read', async () => {
  const [agent, other] = await world.raws('Peeking', 'Greeting');
  await other.ok('connect', { to: agent.museId });
  await world.settle();
  const token = await issue(agent, 'read');
  for (let n = 0; n < 2; n += 1) {
    const { body } = await post(token, 'inbox');
    expect(body).toMatchObject({ items: [{ kind: 'connection_request' }] });
  }
  expect(await post(token, 'whoami')).toMatchObject({ body: { scope: 'read', unread: 1 } });
});

test('a token of scope work cannot redirect money', async () => {
  const agent = await world.raw('Working');
  const token = await issue(agent, 'work');
  expect(await post(token, 'profile', { headline: 'Works' })).toMatchObject({ status: 200 });
  for (const [field, value] of [
    ['payout_address', agent.wallet.address],
    ['lightning_address', ''],
  ] as const)
    expect(await post(token, 'profile', { [field]: value })).toMatchObject({
      status: 403,
      body: { code: 'scope', field },
    });
  const fresh = await quickstart(world.url, { name: 'Joins with a limited token' });
  const limited = await send(world.url, '/api/token', {
    body: { action: 'issue', scope: 'work' },
    headers: fresh.headers,
  });
  const joining = await post(textOf(limited, 'token'), 'join', { payout_address: agent.wallet.address });
  expect(joining).toMatchObject({ status: 403, body: { code: 'scope', field: 'payout_address' } });
});

test('a limited token revokes itself and nothing else', async () => {
  const agent = await world.raw('Keeps the others');
  const [all, work, read] = [await issue(agent, 'all'), await issue(agent, 'work'), await issue(agent, 'read')];
  const hook = { action: 'create', url: 'https://example.com/hooks' };
  expect(await post(all, 'webhook', hook)).toMatchObject({ status: 200 });
  for (const token of [work, read]) {
    expect(await post(token, 'token', { action: 'issue' })).toMatchObject(refusal);
    expect(await post(token, 'token', { action: 'rotate' })).toMatchObject(refusal);
    expect(await post(token, 'token', { action: 'revoke' })).toMatchObject({ status: 200, body: { revoked: true } });
    expect(await post(token, 'whoami')).toMatchObject({ status: 401, body: { code: 'bad_token' } });
  }
  expect(await post(all, 'whoami')).toMatchObject({ body: { scope: 'all' } });
  expect(await agent.post('whoami')).toMatchObject({ body: { scope: 'all', auth: 'signature' } });
  const { body } = await post(all, 'webhook', { action: 'list' });
  expect(body['webhooks']).toEqual([expect.not.objectContaining({ state: 'stopped' })]);
});

test('a token without limits issues others for an owner without a key', async () => {
  const owner = await quickstart(world.url, { name: 'Owner without a key' });
  const body = { action: 'issue', scope: 'work' };
  const issued = textOf(await send(world.url, '/api/token', { body, headers: owner.headers }), 'token');
  expect(await post(issued, 'whoami')).toMatchObject({ body: { scope: 'work', muse_id: owner.museId } });
  const rotation = { body: { action: 'rotate', scope: 'read' }, headers: owner.headers };
  expect(await send(world.url, '/api/token', rotation)).toMatchObject({ status: 400, body: { code: 'scope' } });
});

test('an answer that another token saved is refused to a token whose scope excludes it', async () => {
  const agent = await world.raw('Saved');
  const [all, read] = [await issue(agent, 'all'), await issue(agent, 'read')];
  const saved = newIdempotencyKey();
  const repeat = (token: string) =>
    send(world.url, '/api/post', { body: { text: 'Saved for its token.' }, headers: bearer(token, saved) });
  expect(await repeat(all)).toMatchObject({ status: 200 });
  expect(await repeat(read)).toMatchObject(refusal);
});

test.each(KIND_NAMES)('each MCP tool knows what a token of the kind %s may do', async kind => {
  const token = await issueKind(await world.raw(`Tools ${kind}`), kind);
  for (const tool of buildTools(ROUTES).values()) {
    const { endpoint, caller } = tool.method === 'POST' ? tool.route : { endpoint: tool.name, caller: 'anyone' };
    const needsToken = caller === 'joined' || caller === 'known';
    const { structuredContent } = await callTool(world.url, tool.name, needsToken ? { token } : {});
    const isRefused = needsToken && KINDS[kind][1](endpoint);
    expect([tool.name, structuredContent['code'] === 'scope']).toEqual([tool.name, isRefused]);
  }
});

/** Kinds of tokens that may not use an operation of A2A. */
const REFUSED_OPERATIONS: { readonly [method in Method]: readonly Kind[] } = {
  SendMessage: ['read'],
  SendStreamingMessage: ['read'],
  GetTask: [],
  ListTasks: [],
  CancelTask: ['read'],
  SubscribeToTask: [],
  CreateTaskPushNotificationConfig: ['work', 'read'],
  GetTaskPushNotificationConfig: ['work', 'read'],
  ListTaskPushNotificationConfigs: ['work', 'read'],
  DeleteTaskPushNotificationConfig: ['work', 'read'],
  GetExtendedAgentCard: [],
};
const REFUSED_LEGACY: { readonly [method in keyof typeof LEGACY_SHAPES]: readonly Kind[] } = {
  'message/send': ['read'],
  'message/stream': ['read'],
  'tasks/get': [],
  'tasks/cancel': ['read'],
  'tasks/resubscribe': [],
  'tasks/pushNotificationConfig/set': ['work', 'read'],
  'tasks/pushNotificationConfig/get': ['work', 'read'],
  'tasks/pushNotificationConfig/list': ['work', 'read'],
  'tasks/pushNotificationConfig/delete': ['work', 'read'],
  'agent/getAuthenticatedExtendedCard': [],
};

test.each(KIND_NAMES)('each operation of A2A knows what a token of the kind %s may do', async kind => {
  const agent = await world.raw(`Operations ${kind}`);
  const { id } = await ask(message('Translate a page.'), bearer(await issue(agent, 'all')));
  const headers = bearer(await issueKind(agent, kind));
  const { authorization } = headers;
  const url = 'https://example.com/pushes';
  // A stream of an existing task would not end.
  const paramsOf = (method: string, isRefused: boolean) => {
    const ofTask = /stream/i.test(method) && !isRefused ? { taskId: '1' } : {};
    if (/^message/.test(method)) return legacyMessage('Translate a page.', ofTask);
    if (/^Send/.test(method)) return message('Translate a page.', ofTask);
    const task = /ubscribe/.test(method) ? '1' : id;
    if (method === 'tasks/pushNotificationConfig/set') return { taskId: task, pushNotificationConfig: { url } };
    if (method === 'CreateTaskPushNotificationConfig') return { taskId: task, url };
    if (method === 'ListTasks') return {};
    const config = { pushNotificationConfigId: '1' };
    return /PushNotificationConfig/.test(method)
      ? { taskId: task, id: '1' }
      : { id: task, ...(method.endsWith('delete') && config) };
  };
  const call = { ...REFUSED_OPERATIONS, ...REFUSED_LEGACY };
  // A task that is cancelled has no configurations.
  const calls = Object.entries(call).sort(
    ([one], [other]) => Number(/cancel/i.test(one)) - Number(/cancel/i.test(other)),
  );
  for (const [method, refused] of calls) {
    const sending = method in REFUSED_LEGACY ? legacyRpc : rpc;
    const reply = await sending(method, paramsOf(method, refused.includes(kind)), { authorization: authorization! });
    expect([method, reason(reply)]).toEqual([
      method,
      refused.includes(kind) ? 'SCOPE' : expect.not.stringMatching('SCOPE'),
    ]);
  }
});

test('a token of scope work sends no message with a push configuration', async () => {
  const work = bearer(await issue(await world.raw('Scoped by A2A'), 'work'));
  const config = { url: 'https://example.com/pushes' };
  const withPush = { ...message('Translate a page.'), configuration: { taskPushNotificationConfig: config } };
  expect(reason(await rpc('SendMessage', withPush, work))).toBe('SCOPE');
  expect((await ask(message('Translate a page.'), work)).id).toMatch(/^job-/);
});
