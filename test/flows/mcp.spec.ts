import { validateDiscoveryExtension, validateDiscoveryExtensionSpec } from '@x402/extensions/bazaar';
import { describe, expect, test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { buildTools } from '#libs/channels/mcp/tool.js';
import { ROUTES } from '#libs/service/routes.js';
import { callTool, modernRequest, sendMcp } from '../mcp.js';
import { useWorld } from '../use-world.js';

/** Tests the wire format; `test/face` runs the official clients. */
const world = useWorld({ settings: { RATE_LIMITS: 'dev', TRUST_PROXY: '1' }, overrides: { isAlone: true } });

const READS_A_MINUTE = 600;
/** JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

describe('a failing call', () => {
  test('without a token returns a remedy and never a 401', async () => {
    const { isError, structuredContent } = await callTool(world.url, 'whoami');
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ ok: false, code: 'unsigned', retryable: false });
    expect(structuredContent['what_to_do']).toContain('`quickstart`');
  });

  test('to a paid tool names price and missing token, and with a token the price alone', async () => {
    const args = { task: 'Translate the manual into French.', budget_usd: '5' };
    const sentence = 'The request has no signature and no bearer token.';
    const offered = await callTool(world.url, 'delegate', args);
    expect(offered).toMatchObject({ isError: true, structuredContent: { x402Version: 2, unsigned: sentence } });
    const [offer, why] = offered.content.map(({ text }) => text);
    expect(JSON.parse(offer!)).toEqual(offered.structuredContent);
    for (const part of [sentence, '`token`', '`quickstart`', 'idempotency_key']) expect(why).toContain(part);
    const signedIn = await callTool(world.url, 'delegate', { ...args, token: await tokenOf('Known') });
    expect(signedIn.structuredContent).toMatchObject({ x402Version: 2, accepts: offered.structuredContent['accepts'] });
    expect(JSON.stringify(signedIn)).not.toMatch(/unsigned|no bearer token/);
  });

  test('returns an offer that the official directory tools can read', async () => {
    const args = { task: 'Translate the manual into French.', budget_usd: '5', token: await tokenOf('Listed') };
    const { structuredContent: offer } = await callTool(world.url, 'delegate', args);
    const { bazaar } = offer['extensions'] as unknown as { bazaar: Parameters<typeof validateDiscoveryExtension>[0] };
    expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true });
    expect(validateDiscoveryExtensionSpec({ ...bazaar })).toEqual({ valid: true });
    expect(bazaar.info.input).toMatchObject({ type: 'mcp', toolName: 'delegate', transport: 'streamable-http' });
  });

  test('with a wrong token names it, as an argument and as a header', async () => {
    const byArgument = await callTool(world.url, 'whoami', { token: 'service_tok_x' });
    const byHeader = await callTool(world.url, 'whoami', {}, { headers: { authorization: 'Bearer x' } });
    for (const result of [byArgument, byHeader]) expect(result.structuredContent).toMatchObject({ code: 'bad_token' });
  });

  test.each([
    ['read_job', {}, 'slug'],
    ['read_job', { slug: '..' }, 'slug'],
    ['read_job', { slug: 'half of a pair: \ud800' }, 'slug'],
    ['find_jobs', { limit: 'many' }, 'limit'],
    ['quickstart', { name: ['a', 'list'] }, 'name'],
    ['quickstart', { kind: 'x', idempotency_key: 7 }, 'idempotency_key'],
    ['quickstart', { kind: 'x', idempotency_key: 'short' }, 'idempotency_key'],
    ['whoami', { token: { a: 'thing' } }, 'token'],
  ])('%s of %j names the argument %s', async (tool, args, code) => {
    const { isError, structuredContent } = await callTool(world.url, tool, args);
    const { ok, code: word, field, error } = structuredContent;
    expect([isError, ok, word, field]).toEqual([true, false, code, code]);
    expect(error).toContain(code);
    expect(structuredContent['what_to_do']).toContain('arguments');
  });

  test('a failing call names the remedy in terms of tools', async () => {
    const args = { role: 'job-1', to: 'agent_0000000000', token: await tokenOf('Refused') };
    const { structuredContent } = await callTool(world.url, 'hire', args);
    expect(structuredContent).toMatchObject({ code: 'not_found', what_to_do: expect.any(String) as unknown });
  });

  test('to an unknown tool is a protocol error', async () => {
    await expect(callTool(world.url, 'no_such_tool')).rejects.toThrow('-32602');
  });
});

test('supports the older protocol without a session, in a single request', async () => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'find_jobs', arguments: {} } };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const response = await fetch(`${world.url}/mcp`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect([response.status, response.headers.get('mcp-session-id')]).toEqual([200, null]);
  expect(await response.json()).toMatchObject({ id: 1, result: { structuredContent: { ok: true } } });
});

test('tool arguments cannot lead to another route', async () => {
  const { structuredContent } = await callTool(world.url, 'read_job', { slug: '../muse/x?all=1#y' });
  expect(structuredContent).toMatchObject({ ok: false, code: 'not_found' });
});

test('a repeated call with its idempotency key creates a single identity', async () => {
  const args = { name: 'Once', idempotency_key: 'k'.repeat(32) };
  const [first, second] = [
    await callTool(world.url, 'quickstart', args),
    await callTool(world.url, 'quickstart', args),
  ];
  expect(second.structuredContent['token']).toBe(first.structuredContent['token']);
  const other = await callTool(world.url, 'quickstart', { ...args, name: 'Another' });
  expect(other.structuredContent).toMatchObject({ code: 'idempotency_conflict' });
});

test('an invalid body gets a JSON-RPC error that contains the failure of REST', async () => {
  const [, headers] = modernRequest('tools/list');
  const deep = '{"a":'.repeat(100) + '1' + '}'.repeat(100);
  const bodies: readonly (readonly [body: string, code: number])[] = [
    ['{"jsonrpc": "2.0"', PARSE_ERROR],
    [modernRequest('tools/list')[0].slice(1), PARSE_ERROR],
    [`[${modernRequest('tools/list')[0]}]`, INVALID_REQUEST],
    ['[]', INVALID_REQUEST],
    ['5', INVALID_REQUEST],
    ['{"id": 1, "id": 2}', INVALID_REQUEST],
    [deep, INVALID_REQUEST],
  ];
  for (const [body, code] of bodies) {
    const data = { ok: false, code: 'body', field: 'body', error: expect.any(String) as unknown };
    const refused = { jsonrpc: '2.0', id: null, error: { code, message: expect.any(String) as unknown, data } };
    expect([body, await sendMcp(world.url, body, headers)]).toMatchObject([body, { status: 400, body: refused }]);
  }
  const [body] = modernRequest('tools/list');
  const typed = await sendMcp(world.url, body, { ...headers, 'content-type': 'text/plain' });
  const data = { code: 'content_type' };
  expect(typed).toMatchObject({ status: 415, body: { id: null, error: { code: INVALID_REQUEST, data } } });
  for (const none of ['', '{}'])
    expect(await sendMcp(world.url, none, headers)).toMatchObject({
      status: 400,
      body: { error: { code: INVALID_REQUEST } },
    });
});

describe('limits', () => {
  test('a read through a tool counts as a read of the caller', async () => {
    const flooder = from('192.0.2.1');
    await inRows(READS_A_MINUTE, () => callTool(world.url, 'prices', {}, flooder));
    const { isError, structuredContent } = await callTool(world.url, 'prices', {}, flooder);
    expect([isError, structuredContent['code'], structuredContent['limit']]).toEqual([true, 'rate_limited', 'reads']);
    expect(structuredContent['retry_after']).toEqual(expect.any(Number));
    expect(await callTool(world.url, 'prices', {}, from('192.0.2.2'))).not.toHaveProperty('isError');
    await world.advance(MINUTE_MS);
    expect(await callTool(world.url, 'prices', {}, flooder)).not.toHaveProperty('isError');
  });

  test('a body that is too large is refused before it is parsed', async () => {
    const [, headers] = modernRequest('tools/list');
    const large = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { x: 'x'.repeat(65 * 1024) } });
    const refused = { code: INVALID_REQUEST, data: { code: 'body_too_large' } };
    expect(await sendMcp(world.url, large, headers)).toMatchObject({ status: 413, body: { id: null, error: refused } });
  });

  test('the server offers neither sessions nor streams', async () => {
    for (const method of ['GET', 'DELETE']) {
      const { status, headers } = await sendMcp(world.url, '', { accept: 'text/event-stream' }, '/mcp', method);
      expect([method, status, headers['allow']]).toEqual([method, 405, 'POST']);
    }
  });
});

test('each tool describes itself truthfully and accepts the fields of its route', async () => {
  const [body, headers] = modernRequest('tools/list');
  const { tools } = (await sendMcp(world.url, body, headers)).body['result'] as unknown as { tools: Listed[] };
  expect(tools.map(({ name }) => name)).toEqual([...buildTools(ROUTES).keys()]);
  for (const { name, description, annotations, inputSchema, outputSchema } of tools) {
    expect([name, Object.keys(annotations).sort()]).toEqual([name, HINTS]);
    expect(Object.keys(inputSchema.properties)).toEqual(expect.arrayContaining([...(inputSchema.required ?? [])]));
    expect([name, outputSchema.type, outputSchema.anyOf.length >= 2]).toEqual([name, 'object', true]);
    const asksForKey = 'idempotency_key' in inputSchema.properties;
    expect([name, description.includes('idempotency_key')]).toEqual([name, asksForKey]);
    expect(JSON.stringify(outputSchema)).not.toMatch(/"x-|examples/);
  }
});

test('describes arguments with keywords that every host supports', async () => {
  const { tools } = (await sendMcp(world.url, ...modernRequest('tools/list'))).body['result'] as unknown as {
    tools: Listed[];
  };
  const lengths = ['minLength', 'maxLength', 'minimum'];
  const keywordNames = new Set(['type', 'description', 'enum', 'default', 'pattern', 'anyOf', ...lengths]);
  for (const { inputSchema, outputSchema } of tools) {
    const keywords = Object.values(inputSchema.properties).flatMap(property => Object.keys(property as object));
    expect(keywords.filter(keyword => !keywordNames.has(keyword))).toEqual([]);
    expect(JSON.stringify(outputSchema)).not.toContain('"format":');
  }
});

const HINTS = ['destructiveHint', 'idempotentHint', 'openWorldHint', 'readOnlyHint', 'title'];

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly annotations: object;
  readonly inputSchema: { readonly properties: object; readonly required?: readonly string[] };
  readonly outputSchema: { readonly type: string; readonly anyOf: readonly object[] };
}

async function tokenOf(name: string): Promise<string> {
  return (await callTool(world.url, 'quickstart', { name })).structuredContent['token'] as string;
}

const ROW = 20;

async function inRows(times: number, ask: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < times; done += ROW) await Promise.all(Array.from({ length: ROW }, ask));
}
