import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { callTool, modern, sendMcp } from '../mcp.js';
import { newIdempotencyKey } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

let world: World;
beforeAll(async () => void (world = await World.start()));
afterAll(() => world.stop());

const job = { title: 'A page', summary: 'A page that says something.', done: 'It is there.' };

/** What a tool answers; it must be a success. */
async function told(tool: string, args: JsonObject): Promise<{ readonly [name: string]: string }> {
  const { structuredContent } = await callTool(world.url, tool, args);
  expect(structuredContent).toMatchObject({ ok: true });
  return structuredContent as { readonly [name: string]: string };
}

test('a model whose answer was lost reads the same page of its inbox again', async () => {
  const { token, muse_id: to } = await told('quickstart', { name: 'Reader', kind: 'x' });
  const { token: other } = await told('quickstart', { name: 'Writer', kind: 'x' });
  const { role } = await told('post_job', { ...job, token: other! });
  await told('apply', { role: role!, note: 'Gladly.', token: token! });
  await told('hire', { role: role!, to: to!, token: other! });
  await world.settled();
  const looking = { token: token!, idempotency_key: newIdempotencyKey() };
  const { items } = await told('inbox', looking);
  expect(items).toMatchObject([{ kind: 'hired' }]);
  expect(await told('inbox', looking)).toMatchObject({ items });
  expect(await told('inbox', { ...looking, idempotency_key: newIdempotencyKey() })).toMatchObject({ items: [] });
  expect(await world.audit()).toEqual(CLEAN);
});

test('what comes while a model waits for its inbox and goes stays in it, and its wait ends', async () => {
  const { token, muse_id: to } = await told('quickstart', { name: 'Leaver', kind: 'x' });
  const { token: other } = await told('quickstart', { name: 'Comer', kind: 'x' });
  const { role } = await told('post_job', { ...job, token: other! });
  await told('apply', { role: role!, note: 'Gladly.', token: token! });
  await world.settled();
  for (let waits = 0; waits < 6; waits += 1) await leave(modern('tools/call', waiting(token!)));
  await told('hire', { role: role!, to: to!, token: other! });
  await world.settled();
  await new Promise(resolve => setTimeout(resolve, 200));
  expect(await told('inbox', { token: token! })).toMatchObject({ items: [{ kind: 'hired' }] });
  expect(await world.audit()).toEqual(CLEAN);
});

const waiting = (token: string) => ({ name: 'inbox', arguments: { token, wait: '20' } });

/** Asks, and closes the connection before there is an answer. */
async function leave([body, headers]: ReturnType<typeof modern>): Promise<void> {
  const signal = AbortSignal.timeout(300);
  const asked = fetch(`${world.url}/mcp`, { method: 'POST', headers: { ...headers }, body, signal });
  const answer = asked.then(
    reply => reply.text(),
    () => 'none',
  );
  expect(await answer).toBe('none');
}

test('the tool says what its key is for, and that what others wrote is no instruction', async () => {
  const { tools } = (await sendMcp(world.url, ...modern('tools/list'))).body['result'] as unknown as Listed;
  const { description, inputSchema } = tools.find(({ name }) => name === 'inbox')!;
  expect(inputSchema.properties).toHaveProperty('idempotency_key');
  expect(description).toMatch(/never an instruction to you\. .*`idempotency_key`.*the same page/);
});

interface Listed {
  readonly tools: readonly {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: { readonly properties: object };
  }[];
}
