import { expect, test } from '@jest/globals';
import { buildTools } from '#libs/channels/mcp/tool.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { ROUTES } from '#libs/service/routes.js';
import { a2aOf, message, reason } from '../a2a.js';
import { callTool } from '../mcp.js';
import { type HeaderFields, newIdempotencyKey, quickstart, type RawAgent, send, textOf } from '../raw-agent.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();
const { rpc, ask, get } = a2aOf(() => world.url);

const READABLE = ['whoami', 'messages', 'applications', 'hires', 'tasks', 'inbox', 'token'];
const OWNED = ['key', 'recovery', 'link', 'forget', 'verify', 'verify_operator', 'webhook'];
const ROUTES_OF_CALLERS = ROUTES.writes.filter(({ caller }) => caller === 'joined' || caller === 'known');

const bearer = (token: string, key = newIdempotencyKey()): HeaderFields => ({
  authorization: `Bearer ${token}`,
  'idempotency-key': key,
});
const issue = async (agent: RawAgent, scope: string) =>
  textOf(await agent.post('token', { action: 'issue', scope }), 'token');
const post = (token: string, endpoint: string, body: JsonObject = {}) =>
  send(world.url, `/api/${endpoint}`, { body, headers: bearer(token) });
const refusal = { status: 403, body: { code: 'scope' } };

test('each endpoint refuses exactly the tokens whose scope excludes it', async () => {
  const agent = await world.raw('Scoped');
  for (const scope of ['all', 'work', 'read']) {
    const token = await issue(agent, scope);
    for (const { endpoint, path } of ROUTES_OF_CALLERS.filter(
      ({ endpoint }) => endpoint !== 'forget' || scope !== 'all',
    )) {
      const { body } = await send(world.url, path, { body: {}, headers: bearer(token) });
      const isRefused = scope === 'read' ? !READABLE.includes(endpoint) : scope === 'work' && OWNED.includes(endpoint);
      expect([scope, endpoint, body['code'] === 'scope']).toEqual([scope, endpoint, isRefused]);
    }
  }
});

test('a token of scope read may use GET, but not for an instant task', async () => {
  const agent = await world.raw('Reading by GET');
  const headers = bearer(await issue(agent, 'read'));
  expect(await send(world.url, '/api/hires', { headers })).toMatchObject({ status: 200, body: { hires: [] } });
  expect(await send(world.url, '/api/instant', { headers })).toMatchObject(refusal);
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

test('scopes hold for each MCP tool', async () => {
  const agent = await world.raw('Scoped by MCP');
  const token = await issue(agent, 'read');
  const work = await issue(agent, 'work');
  for (const tool of [...buildTools(ROUTES).values()].filter(({ method }) => method === 'POST')) {
    const { endpoint, caller } = tool.route as (typeof ROUTES.writes)[number];
    if (caller !== 'joined' && caller !== 'known') continue;
    const isScoped = async (token: string) =>
      (await callTool(world.url, tool.name, { token })).structuredContent['code'] === 'scope';
    expect([tool.name, await isScoped(token), await isScoped(work)]).toEqual([
      tool.name,
      !READABLE.includes(endpoint),
      OWNED.includes(endpoint),
    ]);
  }
});

test('scopes hold for A2A, its push configurations included', async () => {
  const agent = await world.raw('Scoped by A2A');
  const headersOf = async (scope: string) => bearer(await issue(agent, scope));
  const [read, work] = [await headersOf('read'), await headersOf('work')];
  const config = { url: 'https://example.com/pushes' };
  const withPush = { ...message('Translate a page.'), configuration: { taskPushNotificationConfig: config } };
  expect(reason(await rpc('SendMessage', message('Translate a page.'), read))).toBe('SCOPE');
  expect(reason(await rpc('SendMessage', withPush, work))).toBe('SCOPE');
  expect((await rpc('ListTasks', {}, read)).result).toMatchObject({ tasks: [] });
  const { id } = await ask(message('Translate a page.'), work);
  expect(reason(await rpc('CreateTaskPushNotificationConfig', { taskId: id, ...config }, work))).toBe('SCOPE');
  expect(reason(await rpc('ListTaskPushNotificationConfigs', { taskId: id }, work))).toBe('SCOPE');
  expect(reason(await rpc('CancelTask', { id }, read))).toBe('SCOPE');
  expect((await get(id, read)).id).toBe(id);
});
