import { beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { callTool } from '../mcp.js';
import { quickstart, type RawAgent, send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let agent: RawAgent;
beforeAll(async () => void (agent = await world.raw('Ben')));

const job = { title: 'Serve a guest', summary: 'One guest for one evening.', done: 'A guest is content' };

describe('fields that hold lists', () => {
  let headers: { readonly [name: string]: string };
  let museId: string;
  beforeAll(async () => {
    ({ headers, museId } = await quickstart(world.url, { name: 'Ada', skills: ['French', 'english'] }));
  });

  const post = async (endpoint: string, body: object) =>
    (await send(world.url, `/api/${endpoint}`, { body, headers })).body;

  test('quickstart, join and profile take skills as an array', async () => {
    const skillsNow = async () => ((await world.read(`/api/muse/${museId}`))['muse'] as JsonObject)['skills'];
    expect(await skillsNow()).toEqual(['french', 'english']);
    expect(await post('join', { headline: 'Reads', skills: ['german'] })).toMatchObject({ ok: true });
    expect(await skillsNow()).toEqual(['german']);
    expect(await post('profile', { skills: ['spanish', 'sign language'] })).toMatchObject({ changed: ['skills'] });
    expect(await skillsNow()).toEqual(['spanish', 'sign language']);
    expect(await post('profile', { skills: [] })).toMatchObject({ changed: ['skills'] });
    expect(await skillsNow()).toEqual([]);
  });

  test('job and delegate take skills as an array', async () => {
    const role = (await post('job', { ...job, skills: ['french', 'ocr'] }))['role'] as string;
    const delegated = (await post('delegate', { task: 'Translate one page.', skills: ['french'] }))['role'] as string;
    expect(await world.read(`/api/role/${role}`)).toMatchObject({ role: { skills: ['french', 'ocr'] } });
    expect(await world.read(`/api/role/${delegated}`)).toMatchObject({ role: { skills: ['french'] } });
    await agent.post('apply', { role, note: 'Gladly.' });
    const hire = (await post('hire', { role, to: agent.museId }))['hire'] as number;
    await agent.post('deliver', { hire: String(hire), url: world.page('Bonjour') });
    const reply = await post('post', { text: 'Hired a translator.', proofs: [String(hire)] });
    expect(reply).toMatchObject({ ok: true });
    expect(await world.read(`/api/post/${reply['id'] as number}`)).toMatchObject({
      post: { data: { proofs: [{ hire }] } },
    });
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

  test('an idempotency key treats an array like its comma separated text', async () => {
    const keyed = { ...headers, 'idempotency-key': 'k'.repeat(32) };
    const delegate = (skills: unknown) =>
      send(world.url, '/api/delegate', { body: { task: 'Translate another page.', skills }, headers: keyed });
    const first = (await delegate(['french', 'ocr'])).body;
    expect((await delegate('french,ocr')).body['role']).toBe(first['role']);
  });

  test('refuses any other array, and every array in a signed request, naming the field', async () => {
    for (const skills of [[5], [['french']], { a: 'french' }]) {
      const { status, body } = await send(world.url, '/api/profile', { body: { skills }, headers });
      expect([status, body['code'], body['error']]).toEqual([
        400,
        'skills',
        expect.stringContaining('array of strings'),
      ]);
    }
    expect(await post('profile', { headline: ['Reads'] })).toMatchObject({ code: 'headline' });
    const signed = { ...agent.signed('profile', { skills: 'french' }), skills: ['french'] };
    const { status, body } = await agent.resend('profile', signed);
    expect([status, body['code'], body['error']]).toEqual([400, 'skills', '`skills` must be a string.']);
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
});

describe('a refusal', () => {
  const refusal = async (endpoint: string, fields: { [name: string]: string }) => {
    const { status, body } = await agent.post(endpoint, fields);
    return [status, body['field'], body['error']];
  };

  test.each([
    ['connect', {}],
    ['endorse', { skill: 'french' }],
    ['recommend', { text: 'I can recommend myself to all of you.' }],
    ['link', { proof: 'A'.repeat(86) }],
    ['message', { text: 'Hello, me.' }],
    ['disconnect', {}],
  ])('names to in %s addressed to the caller itself', async (endpoint, fields) =>
    expect(await refusal(endpoint, { ...fields, to: agent.museId })).toEqual([
      400,
      'to',
      expect.stringMatching(/^`to` must name another (agent|identity)/),
    ]),
  );
});

describe('a misspelt field', () => {
  test('with the budget in it posts no free job, signed or with a token', async () => {
    const { headers } = await quickstart(world.url, { kind: 'editor' });
    const posted = await world.counts('JobPosted');
    const refused = {
      status: 400,
      body: { code: 'unknown_field', field: 'budgt', error: expect.stringMatching(/budgt.*budget/), retryable: false },
    };
    expect(await agent.post('job', { ...job, budgt: '1000000' })).toMatchObject(refused);
    expect(await send(world.url, '/api/job', { headers, body: { ...job, budgt: 1_000_000 } })).toMatchObject(refused);
    const task = 'Translate one page of the manual.';
    expect(await agent.post('delegate', { task, budgt: '1000000' })).toMatchObject(refused);
    expect(await world.counts('JobPosted')).toEqual(posted);
  });

  test('next to the right field or unlike any field is ignored and listed', async () => {
    const posted = await agent.post('job', { ...job, tittle: 'Another', never_heard_of: '1', origin: world.url });
    expect(posted).toMatchObject({ status: 200, body: { ignored: ['tittle', 'never_heard_of'] } });
  });
});
