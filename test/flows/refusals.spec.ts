import { beforeAll, describe, expect, test } from '@jest/globals';
import type { FieldFault } from '#libs/kernel/field-faults.js';
import { DescribedService } from '../described-service.js';
import { type HeaderFields, quickstart, type RawAgent, type Reply, send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let api: DescribedService;
let agent: RawAgent;
let token: HeaderFields;
beforeAll(async () => {
  api = await DescribedService.of(world.url);
  agent = await world.raw('asker');
  ({ headers: token } = await quickstart(world.url, { kind: 'editor' }));
});

const describedFailure = (reply: Reply) => api.check('components', 'schemas', 'Failure')(reply.body);

/** Asserts a 400 that names these fields and reasons in order and matches the description. */
function isAbout(reply: Reply, ...expected: [field: string, reason: string][]): void {
  const { status, body } = reply;
  const fields = (body['fields'] ?? []) as unknown as FieldFault[];
  expect([status, fields.map(({ field, reason }) => [field, reason])]).toEqual([400, expected]);
  expect(body).toMatchObject({ ok: false, retryable: false, ...fields[0] });
  for (const { error } of fields) expect(error).toMatch(/^[A-Z`].*[.?]$/);
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

describe('a refusal names every invalid field at once', () => {
  test('in a signed body and in a body with a token', async () => {
    const signed = await agent.post('job', wrongJob);
    isAbout(signed, ...ofJob);
    expect(signed.body).toMatchObject({ code: 'seats', field: 'seats' });
    isAbout(await send(world.url, '/api/job', { headers: token, body: wrongJob }), ...ofJob);
  });

  test('in an unsigned body, limited to the fields of the price if there is one', async () => {
    const newcomer = await send(world.url, '/api/quickstart', { body: { name: 'a', kind: 'x'.repeat(5_000) } });
    isAbout(newcomer, ['name', 'too_short'], ['kind', 'too_long']);
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

  test('in a query command and in a command without a stream', async () => {
    const reply = await agent.post('applications', { role: 'A b', limit: 'all', after: '?' });
    isAbout(reply, ['role', 'malformed'], ['after', 'malformed'], ['limit', 'not_a_number']);
    isAbout(await send(world.url, '/api/faucet', { body: { wallet: ['x'] } }), ['wallet', 'not_text']);
  });

  test('in the query string of a read', async () => {
    const reply = await send(world.url, '/api/events?limit=0&wait=long&types=Nothing&stream=a&stream=b');
    isAbout(
      reply,
      ['stream', 'repeated'],
      ['limit', 'out_of_range'],
      ['types', 'unknown_value'],
      ['wait', 'not_a_number'],
    );
  });

  test('next to fields of a wrong type', async () => {
    const body = { ...wrongJob, skills: [5], terms: { a: 1 } };
    isAbout(
      await send(world.url, '/api/job', { headers: token, body }),
      ['skills', 'not_text'],
      ['terms', 'not_text'],
      ...ofJob,
    );
  });

  test('next to malformed signature fields', async () => {
    const signed = { ...agent.signed('job', wrongJob), timestamp: 'now', nonce: 'short' };
    isAbout(await agent.resend('job', signed), ['timestamp', 'malformed'], ['nonce', 'malformed'], ...ofJob);
    const { muse_id: _left, ...nobody } = agent.signed('whoami');
    isAbout(await agent.resend('whoami', nobody), ['muse_id', 'missing']);
  });

  test('next to invalid field names', async () => {
    const reply = await send(world.url, '/api/apply', { headers: token, body: { 'Role!': 'job-1', note: 5 } });
    expect(reply.body['code']).toBe('field_name');
    isAbout(reply, ['Role!', 'malformed'], ['role', 'missing']);
  });

  test('after a misspelt field', async () => {
    const { done: _done, ...left } = wrongJob;
    const reply = await agent.post('job', { ...left, doen: 'a thing is done' });
    expect(reply.body['code']).toBe('unknown_field');
    isAbout(reply, ['doen', 'unknown_field'], ...ofJob);
  });

  test('next to fields that exclude each other', async () => {
    const reply = await agent.post('deliver', { hire: '1', url: 'https://a.example/x', post_id: '2' });
    isAbout(reply, ['post_id', 'conflicting']);
    isAbout(await agent.post('profile', { name: '', headline: '' }), ['name', 'missing'], ['headline', 'missing']);
  });

  test('up to fifty of them', async () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`f${at}`, []]));
    const { status, body } = await send(world.url, '/api/whoami', { headers: token, body: many });
    expect([status, (body['fields'] as unknown[]).length]).toEqual([400, 50]);
  });
});

test('a refusal names invalid headers like fields', async () => {
  isAbout(await agent.post('whoami', {}, { 'idempotency-key': 'short' }), ['idempotency-key', 'malformed']);
  isAbout(await send(world.url, '/api/stats', { headers: { 'min-position': 'x' } }), ['min-position', 'malformed']);
});

test('a request without a key gets no offer while its idempotency key is malformed', async () => {
  const body = { wallet: '0x1111111111111111111111111111111111111111' };
  isAbout(await send(world.url, '/api/verify', { body, headers: { 'idempotency-key': 'short' } }), [
    'idempotency-key',
    'malformed',
  ]);
});

test('an empty optional parameter of a read counts as left out', async () => {
  for (const { path, method, parameters } of api.operations) {
    if (method !== 'get' || path.includes('{')) continue;
    const inQuery = parameters.filter(({ in: place }) => place === 'query');
    const needed = inQuery.filter(({ required }) => required).map(({ name, example }) => [name, example] as const);
    const empty = inQuery.filter(({ required }) => !required).map(({ name }) => [name, ''] as const);
    const query = new URLSearchParams(Object.fromEntries([...needed, ...empty]) as { [name: string]: string });
    const { status } = await send(world.url, `${path}?${String(query)}`, { headers: token });
    expect([path, [200, 404].includes(status)]).toEqual([path, true]);
  }
});

test.each(['accept', 'pay', 'deliver', 'dispute', 'end_hire', 'recheck', 'recheck_reply'])(
  '%s of the hire 0 is refused with not_found, however the number is written',
  async endpoint => {
    const { example } = api.operation(endpoint).request!;
    for (const hire of ['0', '00', 0]) {
      const reply = await send(world.url, `/api/${endpoint}`, { headers: token, body: { ...example, hire } });
      expect([hire, reply.status, reply.body['code']]).toEqual([hire, 404, 'not_found']);
    }
  },
);

test('a refusal that concerns no field has neither reason nor fields', async () => {
  const { body } = await agent.post('apply', { role: 'job-1', note: 'I can.' });
  expect(body).toMatchObject({ code: 'not_found', field: 'role' });
  expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['reason']));
  expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['fields']));
});
