import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { modernRequest, sendMcp } from '../mcp.js';
import { useWorld } from '../use-world.js';

/** Tests response formats of `/mcp`, and how it refuses and counts messages that are not calls. */
const world = useWorld({ settings: { RATE_LIMITS: 'dev', TRUST_PROXY: '1' }, overrides: { isAlone: true } });

const READS_A_MINUTE = 600;
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'prices' } };

const post = (body: object, headers: { readonly [name: string]: string } = {}) =>
  fetch(`${world.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const mediaTypeOf = (reply: Response) => reply.headers.get('content-type')?.split(';')[0];

/** Parses the message of a response in either format. */
async function messageIn(reply: Response): Promise<{ readonly [name: string]: JsonObject }> {
  const text = await reply.text();
  const isStream = mediaTypeOf(reply) === 'text/event-stream';
  return JSON.parse(isStream ? /^event: message\ndata: (.*)\n\n$/.exec(text)![1]! : text) as never;
}

describe.each([
  ['older', (method: string, params: JsonObject): Message => [{ jsonrpc: '2.0', id: 1, method, params }, {}]],
  ['newer', newer],
])('the %s protocol', (_name, messageOf) => {
  test.each([
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/json, text/event-stream', 'application/json'],
    ['text/event-stream, application/json;q=0.5', 'text/event-stream'],
    ['text/event-stream', 'text/event-stream'],
    ['text/html', 'application/json'],
    ['', 'application/json'],
  ])('returns for `Accept: %s` the type %s', async (accept, type) => {
    const [called, headers] = messageOf('tools/call', { name: 'prices', arguments: {} });
    const reply = await post(called, { ...headers, accept });
    expect([reply.status, mediaTypeOf(reply)]).toEqual([200, type]);
    expect(await messageIn(reply)).toMatchObject({ id: 1, result: { structuredContent: { ok: true } } });
    const [listed, ofList] = messageOf('tools/list', {});
    const list = await post(listed, { ...ofList, accept });
    expect(mediaTypeOf(list)).toBe(type);
    expect(await messageIn(list)).toMatchObject({ result: { tools: expect.any(Array) as unknown } });
  });

  test.each([
    ['tools/call', { name: 5 }, 'params.name'],
    ['tools/call', { name: 'prices', arguments: 'x' }, 'params.arguments'],
    ['tools/list', { cursor: 5 }, 'params.cursor'],
  ])('refuses %s of %j with -32602, naming %s', async (method, params, name) => {
    const [body, headers] = messageOf(method, params);
    const { error } = await messageIn(await post(body, headers));
    expect(error).toEqual({ code: -32602, message: expect.stringContaining(name) as unknown });
    expect(error!['message']).not.toMatch(/[[{]/);
  });
});

type Message = readonly [body: object, headers: { readonly [name: string]: string }];

function newer(method: string, params: JsonObject): Message {
  const [body, headers] = modernRequest(method, params);
  return [JSON.parse(body) as object, headers];
}

describe('initialize', () => {
  const initialize = async (protocolVersion: unknown) => {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'a test', version: '1' } };
    return messageIn(await post({ jsonrpc: '2.0', id: 'first', method: 'initialize', params }));
  };

  test.each([[5], [null], [{}], [undefined]])('refuses the version %j with -32602', async version => {
    const refused = { code: -32602, message: expect.stringContaining('params.protocolVersion') as unknown };
    expect(await initialize(version)).toEqual({ jsonrpc: '2.0', id: 'first', error: refused });
  });

  test('answers an unknown version with the newest one of the older protocol', async () => {
    expect(await initialize('1999-01-01')).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  });
});

describe('a message without an endpoint counts as a read', () => {
  const { id: _id, ...notification } = CALL;
  test.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, 202],
    ['a call without an id', notification, 202],
    ['a call whose id is null', { ...CALL, id: null }, 400],
    ['a call whose id is an object', { ...CALL, id: {} }, 400],
    ['a call without required arguments', { ...CALL, params: { name: 'read_job' } }, 200],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, 202],
  ])('for %s', async (name, body, status) => {
    const headers = { 'x-forwarded-for': `192.0.2.${name.length}` };
    await expectCounted(() => post(body, headers), status);
  });

  test('for a call in the newer protocol whose headers name another tool', async () => {
    const [body, headers] = modernRequest('tools/call', { name: 'prices' });
    const from = { ...headers, 'mcp-name': 'other', 'x-forwarded-for': '192.0.2.101' };
    await expectCounted(() => sendMcp(world.url, body, from), 400);
  });

  test('for a body that is not JSON', async () => {
    const from = { 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.102' };
    await expectCounted(() => sendMcp(world.url, '{', from), 400);
  });
});

/** Repeats a request until the limit of reads is exceeded. */
async function expectCounted(ask: () => Promise<{ readonly status: number }>, status: number): Promise<void> {
  const statuses: number[] = [];
  for (let sent = 0; sent < READS_A_MINUTE; sent += 20)
    statuses.push(...(await Promise.all(Array.from({ length: 20 }, async () => (await ask()).status))));
  expect(new Set(statuses)).toEqual(new Set([status]));
  expect((await ask()).status).toBe(429);
}

test('refuses a request without a body and content type', async () => {
  expect((await sendMcp(world.url, '')).status).toBe(415);
});

test('a call counts once, like its endpoint', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.103' };
  for (let sent = 0; sent < READS_A_MINUTE / 2; sent += 20)
    await Promise.all(Array.from({ length: 20 }, () => post(CALL, headers)));
  const last = await messageIn(await post(CALL, headers));
  expect(last).toMatchObject({ result: { structuredContent: { ok: true } } });
});
