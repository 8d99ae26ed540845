import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { AgentClient } from '#libs/client/index.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { transformedSources } from '../doubles/transformed-sources.js';
import { modernRequest } from '../mcp.js';
import { useWorld } from '../use-world.js';

/** Talks to `agent-job-network mcp` by raw lines instead of a client. */
const world = useWorld();
let ada: AgentClient;
let token: string;
let bridge: ChildProcessWithoutNullStreams;
let lines: Interface;
/** Messages of the bridge, in order. */
let messages: JsonObject[];

beforeAll(async () => {
  ada = await world.agent('Ada of the lines');
  token = (await ada.token({ action: 'issue' })).token!;
});
beforeEach(() => {
  const env = {
    PATH: process.env['PATH']!,
    XDG_CONFIG_HOME: world.folder,
    AGENT_SERVICE: world.url,
    AGENT_TOKEN: token,
  };
  bridge = spawn(process.execPath, [join(transformedSources(), 'apps', 'agent', 'main.js'), 'mcp'], { env });
  lines = createInterface(bridge.stdout);
  messages = [];
  lines.on('line', line => messages.push(JSON.parse(line) as JsonObject));
});
afterEach(async () => {
  if (bridge.exitCode !== null) return;
  bridge.stdin.end();
  expect(await once(bridge, 'exit')).toEqual([0, null]);
});

const write = (line: string) => void bridge.stdin.write(`${line}\n`);
const ask = (id: number, method: string, params: JsonObject = {}) =>
  write(JSON.stringify({ ...(JSON.parse(modernRequest(method, params)[0]) as JsonObject), id }));

async function next(): Promise<JsonObject> {
  if (messages.length === 0) await once(lines, 'line');
  return messages.shift()!;
}

const wait = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
const inbox = { name: 'inbox', arguments: {} };

test('an error of the service keeps its content and gets the id of the host', async () => {
  ask(7, 'tools/unknown');
  expect(await next()).toMatchObject({ id: 7, error: { code: -32601, message: expect.stringMatching(/not found/i) } });
  ask(8, 'tools/call', { name: 'post', arguments: { text: 'x'.repeat(70_000) } });
  const { id, error } = await next();
  expect(error).toMatchObject({ code: -32600, data: { code: 'body_too_large' } });
  expect([id, (error as JsonObject)['message']]).toEqual([8, ((error as JsonObject)['data'] as JsonObject)['error']]);
});

test('returns -32700 for a line that is not JSON and continues', async () => {
  write('{"jsonrpc": "2.0", "id": 1, "method": ');
  expect(await next()).toEqual({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32700, message: 'This line is not JSON.' },
  });
  write('');
  ask(2, 'tools/call', inbox);
  expect(await next()).toMatchObject({ id: 2, result: {} });
});

test.each([
  ['{}', null],
  ['null', null],
  ['[]', null],
  ['5', null],
  ['{"jsonrpc": "1.0", "id": 1, "method": "ping"}', 1],
  ['{"jsonrpc": "2.0", "id": "a", "method": 5}', 'a'],
  ['{"jsonrpc": "2.0", "id": {}, "method": "ping"}', null],
])('returns -32600 for %s, which is not a message', async (line, id) => {
  write(line);
  expect(await next()).toMatchObject({ jsonrpc: '2.0', id, error: { code: -32600 } });
  ask(2, 'tools/call', inbox);
  expect(await next()).toMatchObject({ id: 2, result: {} });
});

test('accepts a line that contains U+2028', async () => {
  ask(5, 'tools/call', { name: 'find_people', arguments: { q: 'a\u2028b' } });
  expect(await next()).toMatchObject({ id: 5, result: { structuredContent: { ok: true } } });
});

test('completes every request that was sent before the input ended', async () => {
  for (const id of [1, 2, 3]) ask(id, 'tools/call', inbox);
  bridge.stdin.end(JSON.stringify({ ...(JSON.parse(modernRequest('tools/list')[0]) as JsonObject), id: 4 }));
  expect(await once(bridge, 'exit')).toEqual([0, null]);
  expect(messages.map(({ id }) => id as number).sort()).toEqual([1, 2, 3, 4]);
  expect(messages.every(({ result }) => result !== undefined)).toBe(true);
});

test('a canceled request ends without a response and leaves the inbox unread', async () => {
  const [other] = await world.agents('Bea of the lines');
  const { role } = await other!.job({ title: 'A page', summary: 'A page that says something.', done: 'It is there.' });
  await ada.apply({ role, note: 'Gladly.' });
  await world.settle();
  ask(3, 'tools/call', { ...inbox, arguments: { wait: '20' } });
  await wait(1_000);
  write(
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3, reason: 'tired' } }),
  );
  await wait(300);
  await other!.hire({ role, to: ada.museId });
  await world.settle();
  await wait(500);
  ask(4, 'tools/call', inbox);
  const { id, result } = await next();
  expect([id, result]).toEqual([4, expect.objectContaining({ structuredContent: expect.anything() })]);
  const { items } = (result as JsonObject)['structuredContent'] as JsonObject;
  expect(items).toMatchObject([{ kind: 'hired' }]);
});
