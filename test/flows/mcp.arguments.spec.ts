import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { callTool, listTools, modernRequest, sendMcp } from '../mcp.js';
import { send, textOf } from '../raw-agent.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();
const PAYOUT = `0x${'a1'.repeat(20)}`;
const JOB = { title: 'A page', summary: 'A page that says something.', done: 'It is there.' };

const call = async (tool: string, args: JsonObject) => (await callTool(world.url, tool, args)).structuredContent;
const tokenOf = async (name: string) => (await call('quickstart', { name, kind: 'x' }))['token'] as string;

describe('an argument that is null', () => {
  test('keeps the value of an update, and an empty text clears it', async () => {
    const { token, muse_id: id } = await call('quickstart', { name: 'Ada', kind: 'x', skills: 'french' });
    const cleared = { bio: 'Once.', payout_address: PAYOUT, open_to_work: 'true' };
    expect(await call('update_profile', { token: token!, ...cleared })).toMatchObject({ ok: true });
    const nulls = { bio: null, skills: null, payout_address: null, open_to_work: null };
    const updated = await call('update_profile', { token: token!, headline: 'New line', ...nulls });
    expect(updated).toMatchObject({ ok: true, changed: ['headline'], wage_wallet: expect.any(String) as unknown });
    const profile = async () => (await world.read(`/api/muse/${id as string}`))['muse'];
    expect(await profile()).toMatchObject({ headline: 'New line', bio: 'Once.', skills: ['french'] });
    await call('update_profile', { token: token!, bio: '', skills: null });
    expect(await profile()).toMatchObject({ bio: null, skills: ['french'] });
    const headers = { authorization: `Bearer ${token as string}` };
    const { body } = await send(world.url, '/api/profile', { headers, body: { skills: null } });
    expect(body).toMatchObject({ changed: ['skills'] });
  });

  test('is missing where the tool requires it', async () => {
    const missing = { ok: false, reason: 'missing' };
    const token = await tokenOf('Ben');
    expect(await call('apply', { token, role: null, note: 'x' })).toMatchObject({ ...missing, code: 'role' });
    expect(await call('read_job', { slug: null })).toMatchObject({ ...missing, code: 'slug' });
  });

  test('is left out of every tool: all optional arguments may be null', async () => {
    for (const { name, inputSchema } of await listTools(world.url)) {
      const required = inputSchema.required ?? [];
      const optional = Object.keys(inputSchema.properties).filter(each => !required.includes(each));
      const answer = await call(name, Object.fromEntries(optional.map(each => [each, null])));
      const { fields = [] } = answer as unknown as { readonly fields?: readonly JsonObject[] };
      expect([name, fields.filter(({ reason }) => reason !== 'missing')]).toEqual([name, []]);
    }
  });
});

test('the schemas allow null for optional arguments only, and list it in their enums', async () => {
  for (const { name, inputSchema } of await listTools(world.url))
    for (const [argument, schema] of Object.entries(inputSchema.properties)) {
      const { type, anyOf, enum: values } = schema as { readonly type?: unknown; anyOf?: unknown[]; enum?: unknown[] };
      const isNullable =
        [type].flat().includes('null') || (anyOf ?? []).some(each => (each as JsonObject)['type'] === 'null');
      const isOptional = inputSchema.required?.includes(argument) !== true;
      expect([name, argument, isNullable]).toEqual([name, argument, isOptional]);
      if (values) expect([name, argument, values.includes(null)]).toEqual([name, argument, isOptional]);
    }
});

test('a zero of one budget beside the other one is left out, and alone refused', async () => {
  const token = await tokenOf('Cy');
  const pairs = [
    { budget: 0, budget_usd: '5' },
    { budget: '0', budget_usd: 5 },
    { budget: '5000000', budget_usd: '0.00' },
    { budget: null, budget_usd: '5' },
  ];
  for (const budgets of pairs)
    for (const [tool, fields] of [
      ['post_job', JOB],
      ['delegate', { task: 'Translate the manual.' }],
    ] as const)
      expect(await call(tool, { token, ...fields, ...budgets })).toHaveProperty('x402Version', 2);
  const zeros: readonly JsonObject[] = [
    { budget: '0' },
    { budget_usd: 0 },
    { budget: 0, budget_usd: '0.0' },
    { budget: 0, budget_usd: null },
  ];
  for (const budgets of zeros)
    expect(await call('post_job', { token, ...JOB, ...budgets })).toMatchObject({ ok: false });
});

test('a hire takes the wage that its poster agrees to', async () => {
  const [poster, worker] = await world.raws('Mia', 'Max');
  const role = await poster.postJob({ budget_usd: '5' });
  const applying = { token: textOf(await worker.ok('token', { action: 'issue' }), 'token'), role, note: 'Gladly.' };
  expect(await call('apply', { ...applying, ask: 0, ask_usd: '4' })).toMatchObject({ ask: { usd: '4' } });
  const hiring = { token: textOf(await poster.ok('token', { action: 'issue' }), 'token'), role, to: worker.museId };
  const listed = await call('list_applications', { token: hiring.token, role });
  expect(listed).toMatchObject({ applications: [{ ask: { usd: '4' } }] });
  expect(await call('hire', { ...hiring, wage_usd: '5' })).toMatchObject({ code: 'ask_changed', wage: { usd: '4' } });
  const position = { wage: { amount: '4000000' } };
  expect(await call('hire', { ...hiring, wage: null, wage_usd: '4' })).toMatchObject({ position });
});

test('an unknown argument of a read is ignored and listed', async () => {
  expect(await call('find_jobs', { limit: 1, colour: 'red', utm_source: 'x', skill: null })).toMatchObject({
    ok: true,
    ignored: ['colour', 'utm_source'],
  });
  expect(await call('find_jobs', { limit: 1 })).not.toHaveProperty('ignored');
});

test('the address with a slash at its end answers like the one without', async () => {
  const [body, headers] = modernRequest('tools/call', { name: 'prices', arguments: {} });
  expect((await sendMcp(world.url, body, headers, '/mcp/')).body).toMatchObject({
    result: { structuredContent: { ok: true } },
  });
  for (const path of ['/mcp', '/mcp/']) {
    expect((await sendMcp(world.url, '', {}, path, 'GET')).status).toBe(405);
    const foreign = { origin: 'https://evil.example' };
    expect((await sendMcp(world.url, body, { ...headers, ...foreign }, path)).status).toBe(403);
    expect(
      (await sendMcp(world.url, '', { ...foreign, 'access-control-request-method': 'POST' }, path, 'OPTIONS')).status,
    ).toBe(403);
  }
});
