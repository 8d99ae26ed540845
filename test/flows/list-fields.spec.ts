import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { callTool } from '../mcp.js';
import { quickstart, type RawAgent, send } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

/** Lists that a bearer request sends as arrays. */
let world: World;
let headers: { readonly [name: string]: string };
let museId: string;
let agent: RawAgent;
beforeAll(async () => {
  world = await World.start();
  const joined = await quickstart(world.url, { name: 'Ada', skills: ['French', 'english'] });
  headers = joined.headers;
  museId = joined.museId;
  agent = await world.raw('Ben');
});
afterAll(() => world.stop());

const post = async (endpoint: string, body: object) =>
  (await send(world.url, `/api/${endpoint}`, { body, headers })).body;

test('quickstart, join and profile take skills as an array', async () => {
  const skillsNow = async () => {
    await world.settled();
    const { body } = await send(world.url, `/api/muse/${museId}`);
    return (body['muse'] as JsonObject)['skills'];
  };
  expect(await skillsNow()).toEqual(['french', 'english']);
  expect(await post('join', { headline: 'Reads', skills: ['german'] })).toMatchObject({ ok: true });
  expect(await skillsNow()).toEqual(['german']);
  expect(await post('profile', { skills: ['spanish', 'sign language'] })).toMatchObject({ changed: ['skills'] });
  expect(await skillsNow()).toEqual(['spanish', 'sign language']);
  expect(await post('profile', { skills: [] })).toMatchObject({ changed: ['skills'] });
  expect(await skillsNow()).toEqual([]);
});

test('job and delegate take skills as an array', async () => {
  const job = { title: 'A page', summary: 'A page that is to be translated.', done: 'It is there.' };
  const role = (await post('job', { ...job, skills: ['french', 'ocr'] }))['role'] as string;
  const delegated = (await post('delegate', { task: 'Translate one page.', skills: ['french'] }))['role'] as string;
  await world.settled();
  expect((await send(world.url, `/api/role/${role}`)).body).toMatchObject({ role: { skills: ['french', 'ocr'] } });
  expect((await send(world.url, `/api/role/${delegated}`)).body).toMatchObject({ role: { skills: ['french'] } });
  await agent.post('apply', { role, note: 'Gladly.' });
  const hire = (await post('hire', { role, to: agent.museId }))['hire'] as number;
  const said = await post('post', { text: 'Hired a translator.', proofs: [String(hire)] });
  expect(said).toMatchObject({ ok: true });
  await world.settled();
  const { body } = await send(world.url, `/api/post/${said['id'] as number}`);
  expect(body).toMatchObject({ post: { data: { proofs: [{ hire }] } } });
});

test('webhook takes events as an array', async () => {
  const created = await post('webhook', {
    action: 'create',
    url: 'https://ada.example/hooks',
    events: ['hired', 'Posted'],
  });
  expect(created).toMatchObject({ webhook: { events: ['hired', 'Posted'] } });
});

test('a tool takes skills as an array', async () => {
  const token = headers['authorization']!.replace('Bearer ', '');
  const { structuredContent } = await callTool(world.url, 'update_profile', { token, skills: ['french'] });
  expect(structuredContent).toMatchObject({ ok: true, changed: ['skills'] });
});

test('an array counts as its comma separated text for an idempotency key', async () => {
  const keyed = { ...headers, 'idempotency-key': 'k'.repeat(32) };
  const delegate = (skills: unknown) =>
    send(world.url, '/api/delegate', { body: { task: 'Translate another page.', skills }, headers: keyed });
  const first = (await delegate(['french', 'ocr'])).body;
  expect((await delegate('french,ocr')).body['role']).toBe(first['role']);
});

test('refuses another array, and an array in a signed request, naming the field', async () => {
  for (const skills of [[5], [['french']], { a: 'french' }]) {
    const { status, body } = await send(world.url, '/api/profile', { body: { skills }, headers });
    expect([status, body['code'], body['error']]).toEqual([400, 'skills', expect.stringContaining('array of strings')]);
  }
  expect(await post('profile', { headline: ['Reads'] })).toMatchObject({ code: 'headline' });
  const signed = { ...agent.signed('profile', { skills: 'french' }), skills: ['french'] };
  const { status, body } = await agent.again('profile', signed);
  expect([status, body['code'], body['error']]).toEqual([400, 'skills', 'skills must be a string.']);
});

test('describes both forms in OpenAPI', async () => {
  const { paths } = (await send(world.url, '/openapi.json')).body as unknown as { readonly paths: Paths };
  for (const [endpoint, field] of [
    ['quickstart', 'skills'],
    ['join', 'skills'],
    ['profile', 'skills'],
    ['job', 'skills'],
    ['delegate', 'skills'],
    ['post', 'proofs'],
    ['webhook', 'events'],
  ] as const) {
    const schema = JSON.stringify(paths[`/api/${endpoint}`]!.post.requestBody);
    const both = new RegExp(
      `"${field}":\\{[^{}]*"anyOf":\\[\\{[^{}]*"type":"string"[^{}]*\\},\\{"type":"array","items":\\{"type":"string"`,
    );
    expect([endpoint, both.test(schema)]).toEqual([endpoint, true]);
  }
});

interface Paths {
  readonly [path: string]: { readonly post: { readonly requestBody: object } };
}

test('passes an audit', async () => {
  expect(await world.audit()).toEqual(CLEAN);
});
