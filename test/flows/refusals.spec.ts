import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FieldFault } from '#libs/kernel/reasons.js';
import { Described } from '../described.js';
import { type Headings, quickstart, type RawAgent, type Reply, send } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

/** What a refusal says of fields: every wrong one at once, each with a word for programs and a sentence for people. */
let world: World;
let api: Described;
let agent: RawAgent;
let token: Headings;
beforeAll(async () => {
  world = await World.start();
  api = await Described.of(world.url);
  agent = await world.raw('asker');
  ({ headers: token } = await quickstart(world.url, { kind: 'editor' }));
});
afterAll(() => world.stop());

const describedFailure = (reply: Reply) => api.check('components', 'schemas', 'Failure')(reply.body);

/** The reply is a 400 about these fields, in this order, each with this reason; it fits the description. */
function isAbout(reply: Reply, ...expected: [field: string, reason: string][]): void {
  const { status, body } = reply;
  const fields = (body['fields'] ?? []) as unknown as FieldFault[];
  expect([status, fields.map(({ field, reason }) => [field, reason])]).toEqual([400, expected]);
  expect(body).toMatchObject({ ok: false, retryable: false, ...fields[0] });
  for (const { error } of fields) expect(error).toMatch(/^[A-Za-z].*[.?]$/);
  expect(describedFailure(reply)).toBeNull();
}

const wrongJob = { title: 'x', done: 'a thing is done', seats: '11', rail: 'gold', expires_at: 'tomorrow' };
const ofJob: [string, string][] = [
  ['seats', 'out_of_range'],
  ['rail', 'unknown_value'],
  ['title', 'too_short'],
  ['summary', 'missing'],
  ['expires_at', 'not_a_number'],
];

describe('every wrong field is named at once', () => {
  test('in a signed body and in one with a token', async () => {
    const signed = await agent.post('job', wrongJob);
    isAbout(signed, ...ofJob);
    expect(signed.body).toMatchObject({ code: 'seats', field: 'seats' });
    isAbout(await send(world.url, '/api/job', { headers: token, body: wrongJob }), ...ofJob);
  });

  test('in a body that nobody signs, and of an unsigned one those that its price depends on', async () => {
    const newcomer = await send(world.url, '/api/quickstart', { body: { name: 'a', bio: 'x'.repeat(5_000) } });
    isAbout(newcomer, ['name', 'too_short'], ['bio', 'too_long']);
    const unsigned = { ...wrongJob, budget: 'much', budget_usd: '1,5' };
    const priced = await send(world.url, '/api/job', { body: unsigned });
    isAbout(
      priced,
      ['seats', 'out_of_range'],
      ['budget', 'malformed'],
      ['budget_usd', 'malformed'],
      ['rail', 'unknown_value'],
    );
  });

  test('in a question, and in what touches no stream', async () => {
    const asked = await agent.post('applications', { role: 'A b', limit: 'all', after: '?' });
    isAbout(asked, ['role', 'malformed'], ['after', 'malformed'], ['limit', 'not_a_number']);
    isAbout(await send(world.url, '/api/faucet', { body: { wallet: ['x'] } }), ['wallet', 'not_text']);
  });

  test('in the query of a read', async () => {
    const reply = await send(world.url, '/api/events?limit=0&wait=long&types=Nothing&stream=a&stream=b');
    isAbout(
      reply,
      ['stream', 'repeated'],
      ['limit', 'out_of_range'],
      ['types', 'unknown_value'],
      ['wait', 'not_a_number'],
    );
  });

  test('what is no text, and what else is wrong beside it', async () => {
    const body = { ...wrongJob, skills: [5], terms: { a: 1 } };
    isAbout(
      await send(world.url, '/api/job', { headers: token, body }),
      ['skills', 'not_text'],
      ['terms', 'not_text'],
      ...ofJob,
    );
  });

  test('what a signature needs, and what else is wrong beside it', async () => {
    const signed = { ...agent.signed('job', wrongJob), timestamp: 'now', nonce: 'short' };
    isAbout(await agent.again('job', signed), ['timestamp', 'malformed'], ['nonce', 'malformed'], ...ofJob);
    const { muse_id: _left, ...nobody } = agent.signed('whoami');
    isAbout(await agent.again('whoami', nobody), ['muse_id', 'missing']);
  });

  test('names that no field can have, and what else is wrong beside them', async () => {
    const reply = await send(world.url, '/api/apply', { headers: token, body: { 'Role!': 'job-1', note: 5 } });
    expect(reply.body['code']).toBe('field_name');
    isAbout(reply, ['Role!', 'malformed'], ['role', 'missing']);
  });

  test('a misspelt one first, and what else is wrong beside it', async () => {
    const { done: _done, ...left } = wrongJob;
    const reply = await agent.post('job', { ...left, doen: 'a thing is done' });
    expect(reply.body['code']).toBe('unknown_field');
    isAbout(reply, ['doen', 'unknown_field'], ...ofJob);
  });

  test('what the state is not asked for: fields that do not go together', async () => {
    const reply = await agent.post('deliver', { hire: '1', url: 'https://a.example/x', post_id: '2' });
    isAbout(reply, ['post_id', 'conflicting']);
    isAbout(await agent.post('profile', { name: '', headline: '' }), ['name', 'missing'], ['headline', 'missing']);
  });

  test('fifty at most, however many there are', async () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`f${at}`, []]));
    const { status, body } = await send(world.url, '/api/whoami', { headers: token, body: many });
    expect([status, (body['fields'] as unknown[]).length]).toEqual([400, 50]);
  });
});

test('a header at fault is named as a field is', async () => {
  isAbout(await agent.post('whoami', {}, { 'idempotency-key': 'short' }), ['idempotency-key', 'malformed']);
  isAbout(await send(world.url, '/api/stats', { headers: { 'min-position': 'x' } }), ['min-position', 'malformed']);
});

test('a refusal about no field has neither reason nor fields', async () => {
  const { body } = await agent.post('apply', { role: 'job-1', note: 'I can.' });
  expect(body).toMatchObject({ code: 'not_found', field: 'role' });
  expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['reason']));
  expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['fields']));
  expect(await world.audit()).toEqual(CLEAN);
});
