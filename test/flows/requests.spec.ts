import { beforeAll, describe, expect, test } from '@jest/globals';
import { HOUR_MS } from '#libs/kernel/clock.js';
import { signNoble } from '#libs/platform/signing/noble-ed25519.js';
import { type HeaderFields, newNonce, quickstart, RawAgent, send, type SignedBody } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let agent: RawAgent;
let unjoined: RawAgent;
let token: HeaderFields;
beforeAll(async () => {
  agent = await world.raw('asker');
  unjoined = new RawAgent(world.url, () => world.now());
  await unjoined.register('not joined');
  ({ headers: token } = await quickstart(world.url, { name: 'bearer', kind: 'editor' }));
});

const post = (path: string, body: unknown, headers: HeaderFields = {}) => send(world.url, path, { body, headers });
const job = { title: 'A job', summary: 'Twenty characters at least.', done: 'a thing is done' };

describe('authentication', () => {
  test('refuses an unsigned request', async () => {
    const refused = await post('/api/apply', {});
    expect(refused).toMatchObject({ status: 401, body: { code: 'unsigned', hint: expect.any(String) } });
  });

  test('requires a signature for a new key even with a token', async () => {
    const refused = await post('/api/register', {}, token);
    expect(refused).toMatchObject({ status: 401, body: { code: 'unsigned', hint: 'Sign the body.' } });
    expect(refused.body['error']).toMatch(/no signature of the new key/);
    const offered = await post('/api/identity', {}, token);
    expect(offered).toMatchObject({ status: 402, body: { unsigned: refused.body['error'] } });
  });

  test.each(['', null, 'short', 'a'.repeat(85), 'a'.repeat(87), `${'a'.repeat(85)}=`])(
    'treats the signature %j as missing',
    async signature => {
      const refused = await post('/api/whoami', { ...agent.signed('whoami'), signature });
      expect(refused).toMatchObject({ status: 401, body: { code: 'unsigned' } });
    },
  );

  test('shows the price of a paid endpoint without a signature, and the reason', async () => {
    const none = await post('/api/job', { budget_usd: '10' });
    expect(none).toMatchObject({ status: 402, body: { code: 'payment_required' } });
    const short = await post('/api/job', { budget_usd: 10, signature: 'abc' });
    expect(short).toMatchObject({ status: 402, body: { unsigned: expect.stringContaining('3 characters') } });
    expect(none.body['unsigned']).toMatch(/no signature/);
  });

  test('shows the price before it checks other fields', async () => {
    const odd = { budget_usd: '10', title: '', skills: ['a', 'b'], expires_at: { at: 1 } };
    expect(await post('/api/job', odd)).toMatchObject({ status: 402, body: { code: 'payment_required' } });
    expect(await post('/api/job', {})).toMatchObject({ status: 401, body: { code: 'unsigned' } });
  });

  test.each(['service_tok_wrong', `service_tok_${'a'.repeat(43)}`])('refuses the token %s', async wrong => {
    const refused = await post('/api/whoami', {}, { authorization: `Bearer ${wrong}` });
    expect(refused).toMatchObject({ status: 401, body: { code: 'bad_token' } });
  });
});

describe('the shared fields of a signed request', () => {
  const nonce = 'n'.repeat(16);
  test.each([
    ['muse_id', 'agent_SHOUT00000'],
    ['muse_id', 'nobody'],
    ['muse_id', ''],
    ['timestamp', '123'],
    ['timestamp', `${'1'.repeat(13)} `],
    ['timestamp', ''],
    ['nonce', 'n'.repeat(15)],
    ['nonce', 'n'.repeat(129)],
    ['nonce', 'spaces are not fine'],
  ])('%s %j is malformed', async (field, value) => {
    const body: SignedBody = { ...agent.signed('whoami', {}, { nonce }), [field]: value };
    expect(await post('/api/whoami', body)).toMatchObject({ status: 400, body: { code: field, field } });
  });

  test.each([{ nonce: 5 }, { title: ['a'] }, { title: 1 }, { title: true }, { title: {} }])(
    'must be text: %j',
    async odd => {
      const [field] = Object.keys(odd);
      const refused = await post('/api/job', { ...agent.signed('job', job), ...odd });
      expect(refused).toMatchObject({ status: 400, body: { code: field, field } });
    },
  );

  test.each([-6, 6])('refuse a timestamp %i minutes off and return the time of the service', async minutes => {
    const stranger = new RawAgent(world.url);
    stranger.museId = 'agent_unknown000';
    const timestamp = String(world.now() + minutes * 60_000);
    const { status, body } = await post('/api/whoami', stranger.signed('whoami', {}, { timestamp }));
    expect([status, body['code']]).toEqual([401, 'timestamp_out_of_window']);
    expect(body['retryable']).toBe(minutes > 0);
    expect(Math.abs((body['server_time'] as number) - world.now())).toBeLessThan(5_000);
  });

  test('accept a timestamp 4 minutes off', async () => {
    const timestamp = String(world.now() - 4 * 60_000);
    expect(await post('/api/whoami', agent.signed('whoami', {}, { timestamp }))).toMatchObject({ status: 200 });
  });

  test('refuse an unknown identity', async () => {
    const stranger = new RawAgent(world.url);
    stranger.museId = 'agent_unknown000';
    expect(await stranger.post('whoami')).toMatchObject({ status: 401, body: { code: 'unknown_muse' } });
  });

  test('refuse an identity without a key and point to its token', async () => {
    const { museId } = await quickstart(world.url, { kind: 'keyless' });
    const keyless = new RawAgent(world.url);
    keyless.museId = museId;
    expect(await keyless.post('whoami')).toMatchObject({ status: 401, body: { code: 'no_key' } });
  });
});

describe('the signature', () => {
  test('if wrong is answered with the exact text that was checked', async () => {
    const { signature: _right, ...body } = agent.signed('job', { title: 'Grüße', note: 'a:b\nc' });
    const refused = await post('/api/job', { ...body, signature: 'A'.repeat(86) });
    expect(refused).toMatchObject({ status: 401, body: { code: 'signature_mismatch' } });
    const preview = refused.body['canonical_message_preview'] as string;
    const { timestamp, nonce } = body as { timestamp: string; nonce: string };
    const lines = ['service-v1', 'job', timestamp, nonce, agent.museId, 'note:5:a:b', 'c', 'title:7:Grüße'];
    expect(preview).toBe(lines.join('\n'));
    const mended = await post('/api/job', { ...body, signature: signNoble(agent.seed, preview) });
    expect(mended).toMatchObject({ status: 400, body: { field: 'summary' } });
  });

  test('belongs to one endpoint, one muse and these fields', async () => {
    const mismatch = { status: 401, body: { code: 'signature_mismatch' } };
    const body = agent.signed('whoami');
    expect(await post('/api/join', body)).toMatchObject(mismatch);
    expect(await post('/api/whoami', { ...body, extra: 'x' })).toMatchObject(mismatch);
    expect(await post('/api/whoami', { ...body, nonce: newNonce() })).toMatchObject(mismatch);
    expect(await post('/api/whoami', { ...body, muse_id: unjoined.museId })).toMatchObject(mismatch);
    expect(await post('/api/whoami', { ...body, x402_payment: '' })).toMatchObject({ status: 200 });
  });

  test('reads null as an empty string and covers unknown fields', async () => {
    const answer = await agent.post('join', { headline: 'mended', about: null, favourite: 'blue', note: null });
    expect(answer).toMatchObject({ status: 200, body: { ignored: ['favourite', 'note'] } });
  });
});

describe('a private field that the endpoint does not have', () => {
  const hiding = { payout_address: '0x2222222222222222222222222222222222222222', trial_answer: 'Yes.' };

  test('is refused in a signed request, because it would hide the signature', async () => {
    const refused = await agent.post('post', { text: 'Hello.', ...hiding });
    expect(refused).toMatchObject({ status: 400, body: { code: 'unknown_field', field: 'payout_address' } });
    const names = (refused.body['fields'] as { field: string }[]).map(({ field }) => field);
    expect(names).toEqual(Object.keys(hiding));
    expect(refused.body['error']).toContain('would hide your signature');
  });

  test('is ignored with a token, which stores declared fields only', async () => {
    const answer = await post('/api/post', { text: 'Hello again.', ...hiding }, token);
    expect(answer).toMatchObject({ status: 200, body: { ignored: Object.keys(hiding) } });
  });
});

describe('after authentication', () => {
  test('a muse that has not joined is refused before its fields are read', async () => {
    const refused = { status: 403, body: { code: 'join_first' } };
    expect(await unjoined.post('job', {})).toMatchObject(refused);
    expect(await unjoined.post('whoami')).toMatchObject({ status: 200, body: { joined: false } });
  });

  test('a malformed field is named', async () => {
    const refused = await agent.post('job', { ...job, seats: '11' });
    expect(refused).toMatchObject({ status: 400, body: { code: 'seats', field: 'seats', retryable: false } });
  });

  test('numbers and flags in a bearer request are read as text', async () => {
    const answer = await post('/api/job', { ...job, seats: 2, colour: 'blue', trial: null }, token);
    expect(answer).toMatchObject({ status: 200, body: { paid: false, ignored: ['colour'] } });
    const named = { muse_id: 'agent_nobody0000', origin: world.url };
    expect((await post('/api/whoami', named, token)).body).toMatchObject({ ignored: ['muse_id'] });
    const joined = await post('/api/join', { open_to_work: false }, token);
    expect(joined).toMatchObject({ status: 200, body: { first: false } });
    expect(await post('/api/job', { ...job, title: ['a'] }, token)).toMatchObject({
      status: 400,
      body: { field: 'title' },
    });
  });

  test('an old token still works, but a new signature needs a new timestamp', async () => {
    const body = agent.signed('whoami');
    await world.advance(HOUR_MS);
    expect(await post('/api/whoami', {}, token)).toMatchObject({ status: 200 });
    expect(await post('/api/whoami', body)).toMatchObject({ status: 401, body: { code: 'timestamp_out_of_window' } });
    expect(await agent.post('whoami')).toMatchObject({ status: 200 });
  });
});
