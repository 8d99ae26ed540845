import { beforeAll, describe, expect, test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { type HeaderFields, newIdempotencyKey, quickstart, RawAgent, type Reply, send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let agent: RawAgent;
let other: RawAgent;
let token: HeaderFields;
beforeAll(async () => {
  [agent, other] = await world.raws('repeater', 'another');
  ({ headers: token } = await quickstart(world.url, { name: 'bearer', kind: 'editor' }));
});

const job = { title: 'A job', summary: 'Twenty characters at least.', done: 'a thing is done' };
const key = () => ({ 'idempotency-key': newIdempotencyKey() });
const codes = (replies: readonly Reply[]) => replies.map(({ status, body }) => body['code'] ?? status);
const jobs = async () => (await world.counts('JobPosted'))[0]!;

describe('a nonce', () => {
  test('is spent by a successful request', async () => {
    const body = agent.signed('job', job);
    const first = await agent.resend('job', body);
    expect(first).toMatchObject({ status: 200, body: { paid: false } });
    const again = await agent.resend('job', body);
    expect(again).toMatchObject({ status: 409, body: { code: 'nonce_used', retryable: false, retry_after: 1 } });
    expect(again.headers.get('retry-after')).toBe('1');
    const another = agent.signed('whoami', {}, { nonce: body['nonce']! });
    expect(await agent.resend('whoami', another)).toMatchObject({ status: 409, body: { code: 'nonce_used' } });
    const others = other.signed('whoami', {}, { nonce: body['nonce']! });
    expect(await other.resend('whoami', others)).toMatchObject({ status: 200 });
  });

  test('is left unspent by a refusal of any status', async () => {
    const nonce = agent.signed('whoami')['nonce']!;
    const bodies = [
      { ...job, seats: 'many' },
      { ...job, budget_usd: '10' },
      { ...job, again_of: 'job-1' },
    ];
    for (const [at, status] of [400, 402, 404].entries())
      expect(await agent.resend('job', agent.signed('job', bodies[at], { nonce }))).toMatchObject({ status });
    expect(await agent.resend('job', agent.signed('job', job, { nonce }))).toMatchObject({ status: 200 });
  });

  test('in ten copies of a message at the same time executes exactly one', async () => {
    const before = await jobs();
    const body = agent.signed('job', job);
    const replies = await Promise.all(Array.from({ length: 10 }, () => agent.resend('job', body)));
    const refused = codes(replies).filter(code => code !== 200);
    expect(refused).toHaveLength(9);
    expect(['in_progress', 'nonce_used']).toEqual(expect.arrayContaining([...new Set(refused)]));
    const running = replies.find(({ body }) => body['code'] === 'in_progress');
    if (running) expect([running.status, running.headers.get('retry-after')]).toEqual([409, '1']);
    expect(await jobs()).toBe(before + 1);
  });

  test('in different messages at the same time executes exactly one', async () => {
    const before = await jobs();
    const { nonce } = agent.signed('whoami');
    const bodies = Array.from({ length: 6 }, (_, n) =>
      agent.signed('job', { ...job, title: `Nr ${n}` }, { nonce: nonce! }),
    );
    const replies = await Promise.all(bodies.map(body => agent.resend('job', body)));
    expect(codes(replies).sort()).toEqual([200, ...Array.from({ length: 5 }, () => 'nonce_used')]);
    expect(await jobs()).toBe(before + 1);
  });

  test('that is reused after its expiry for another target creates that target fully', async () => {
    const roles = [];
    for (const title of ['One job', 'Another job'])
      roles.push((await other.post('job', { ...job, title, seats: '2' })).body['role']);
    const [first, second] = roles as [string, string];
    const { nonce } = agent.signed('whoami') as { nonce: string };
    const apply = (role: string) =>
      agent.resend('apply', agent.signed('apply', { role, note: 'I am fluent.' }, { nonce }));
    expect((await apply(first)).status).toBe(200);
    await world.advance(11 * MINUTE_MS);
    expect(await apply(first)).toMatchObject({ status: 409, body: { code: 'nonce_used' } });
    expect((await apply(second)).status).toBe(200);
    const { nonce: hiring } = other.signed('whoami') as { nonce: string };
    const hire = (role: string) =>
      other.resend('hire', other.signed('hire', { role, to: agent.museId }, { nonce: hiring }));
    expect((await hire(first)).status).toBe(200);
    await world.advance(11 * MINUTE_MS);
    expect((await hire(second)).status).toBe(200);
    await world.settle();
    const { body } = await send(world.url, '/api/feed?limit=50');
    const items = body['items'] as { readonly kind: string }[];
    const shown = (kind: string) => items.filter(item => item.kind === kind).map(item => JSON.stringify(item));
    for (const kind of ['applied', 'hired']) for (const role of roles) expect(shown(kind).join()).toContain(role);
  });

  test('a nonce is recognised by its event after the short-lived state has expired', async () => {
    const timestamp = String(world.now() + 4 * MINUTE_MS);
    const body = agent.signed('job', { ...job, title: 'From a fast clock' }, { timestamp });
    const first = await agent.resend('job', body);
    expect(first.status).toBe(200);
    const before = await jobs();
    await world.advance(8 * MINUTE_MS);
    expect(await agent.resend('job', body)).toMatchObject({ status: 409, body: { code: 'nonce_used' } });
    expect(await jobs()).toBe(before);
  });
});

describe('an idempotency key', () => {
  test('returns the saved response for an equal body in any encoding', async () => {
    const headers = key();
    const before = await jobs();
    const first = await agent.post('job', job, headers);
    const again = await agent.post('job', { done: job.done, title: job.title, summary: job.summary }, headers);
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect(again.headers.get('event-position')).toBe(first.headers.get('event-position'));
    expect(await jobs()).toBe(before + 1);
  });

  test('is bound to one body', async () => {
    const headers = { ...token, ...key() };
    const post = (body: object) => send(world.url, '/api/job', { body, headers });
    const first = await post(job);
    expect((await post({ ...job })).body).toEqual(first.body);
    const refused = await post({ ...job, title: 'Another job' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'idempotency_conflict', retryable: false } });
  });

  test('is bound to one caller and one endpoint', async () => {
    const headers = key();
    const mine = await agent.post('job', job, headers);
    const theirs = await other.post('job', job, headers);
    expect(theirs.body['role']).not.toBe(mine.body['role']);
    expect(await agent.post('join', { headline: 'new' }, headers)).toMatchObject({
      status: 200,
      body: { first: false },
    });
  });

  test('allows a corrected request after a refusal', async () => {
    const { body } = await other.post('job', job);
    const headers = key();
    expect(await agent.post('apply', { role: 'job-1', note: 'Me.' }, headers)).toMatchObject({ status: 404 });
    const mended = { role: body['role'] as string, note: 'Me.' };
    expect(await agent.post('apply', mended, headers)).toMatchObject({ status: 200, body: { edited: false } });
    expect(await agent.post('apply', mended, headers)).toMatchObject({ status: 200, body: { edited: false } });
  });

  test.each([
    ['token', { action: 'issue' }, 'token'],
    ['webhook', { action: 'create', url: 'https://hook.example/', kinds: 'hire' }, 'secret'],
  ])('returns the unstored secret of a repeated %s again, signed again or not', async (path, fields, secret) => {
    const headers = key();
    const body = agent.signed(path, fields);
    const first = await agent.resend(path, body, headers);
    expect(first).toMatchObject({ status: 200, body: { [secret]: expect.any(String) } });
    expect(await agent.resend(path, body, headers)).toMatchObject({ status: 200, body: first.body });
    expect(await agent.post(path, fields, headers)).toMatchObject({ status: 200, body: first.body });
    const later = agent.signed(path, fields, { nonce: body['nonce']!, timestamp: String(world.now() + 1) });
    expect(await agent.resend(path, later, headers)).toMatchObject({ status: 200, body: first.body });
    // Without its key the message counts as a repeat.
    expect(await agent.resend(path, body)).toMatchObject({ status: 409, body: { code: 'nonce_used' } });
  });

  test('repeats a query with a lost response and returns the same inbox page', async () => {
    const [asked, handedOut] = [key(), key()];
    const question = agent.signed('whoami', {});
    const first = await agent.resend('whoami', question, asked);
    expect(await agent.resend('whoami', question, asked)).toMatchObject({ status: 200, body: first.body });
    await world.settle();
    await agent.post('inbox', {});
    const { body } = await agent.post('job', job);
    await other.post('apply', { role: body['role'] as string, note: 'Me.' });
    await world.settle();
    const page = agent.signed('inbox', {});
    const given = await agent.resend('inbox', page, handedOut);
    expect(given.body['items']).toMatchObject([{ kind: 'application' }]);
    expect((await agent.resend('inbox', page, handedOut)).body['items']).toEqual(given.body['items']);
    expect((await agent.post('inbox', {})).body['items']).toEqual([]);
  });

  test('sent ten times at the same time executes exactly one', async () => {
    const headers = { ...token, ...key() };
    const before = await jobs();
    const post = () => send(world.url, '/api/job', { body: job, headers });
    const replies = await Promise.all(Array.from({ length: 10 }, post));
    const done = replies.filter(({ status }) => status === 200);
    expect(new Set(done.map(({ body }) => body['role'])).size).toBe(1);
    expect(codes(replies).filter(code => code !== 200 && code !== 'in_progress')).toEqual([]);
    expect((await post()).body).toEqual(done[0]!.body);
    expect(await jobs()).toBe(before + 1);
  });

  test.each(['a'.repeat(21), 'a'.repeat(129), `${'a'.repeat(30)} b`])(
    'is refused if malformed: %j',
    async malformed => {
      const refused = await agent.post('job', job, { 'idempotency-key': malformed });
      expect(refused).toMatchObject({ status: 400, body: { code: 'idempotency_key', field: 'idempotency-key' } });
    },
  );

  test('an idempotency key returns the token of a repeated quickstart to its caller only', async () => {
    const headers = key();
    const post = (body: object) => send(world.url, '/api/quickstart', { body, headers });
    const [registered] = await world.counts('Registered');
    // Next steps are looked up each time, since responses with a token are not stored.
    await world.settle();
    const first = await post({ kind: 'twice' });
    const again = await post({ kind: 'twice' });
    expect(again.body).toEqual(first.body);
    expect(again.body['token']).toMatch(/^service_tok_[A-Za-z0-9_-]{43}$/);
    expect(await world.counts('Registered')).toEqual([registered! + 1]);
    expect(await post({ kind: 'thrice' })).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
  });

  test('an idempotency key creates a single identity from concurrent quickstarts', async () => {
    const headers = key();
    const post = () => send(world.url, '/api/quickstart', { body: { kind: 'at once' }, headers });
    const replies = await Promise.all(Array.from({ length: 5 }, post));
    expect(codes(replies).filter(code => code !== 200 && code !== 'in_progress')).toEqual([]);
    expect((await post()).body['token']).toBe(replies.find(({ status }) => status === 200)!.body['token']);
  });
});
