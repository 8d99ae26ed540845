import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { type HeaderFields, newIdempotencyKey, quickstart, RawAgent, send, textOf } from '../raw-agent.js';
import { paymentHeader } from '../x402.js';
import { useWorld } from '../use-world.js';

const world = useWorld();

/** Returns an agent with a new key for the same identity. */
function newKeyFor(museId: string): RawAgent {
  const next = new RawAgent(world.url, () => world.now());
  next.museId = museId;
  return next;
}
const proofOf = (key: RawAgent, { museId } = key) => key.proof(`service-key-v1\n${museId}\n${key.publicKey}`);
const binding = (next: RawAgent) => ({ public_key: next.publicKey, proof: proofOf(next) });
const bearer = (token: unknown) => ({ authorization: `Bearer ${token as string}` });
const whoami = (headers: HeaderFields) => send(world.url, '/api/whoami', { body: {}, headers });
const tokenOf = (action: string, headers: HeaderFields) => send(world.url, '/api/token', { body: { action }, headers });
const keyChanges = async (agent: RawAgent) => {
  const { body } = await agent.post('inbox', { peek: 'true' });
  return (body['items'] as JsonObject[]).filter(({ kind }) => kind === 'key_changed').map(({ by }) => by);
};

const verified = (agent: RawAgent) => agent.buy('verify', { wallet: agent.wallet.address });

test('a lost key is replaced with the token', async () => {
  const { museId, headers } = await quickstart(world.url, { name: 'Mended', kind: 'lost' });
  const first = newKeyFor(museId);
  expect(await first.post('whoami')).toMatchObject({ status: 401, body: { code: 'no_key' } });
  const bound = await send(world.url, '/api/key', { body: binding(first), headers });
  expect(bound.body).toEqual({ ok: true, muse_id: museId, public_key: first.publicKey, replaced: false });
  expect(await first.post('whoami')).toMatchObject({ status: 200, body: { auth: 'signature', muse_id: museId } });
  expect(await keyChanges(first)).toEqual([]);
  await world.fund(first.wallet.address);
  await verified(first);

  const second = newKeyFor(museId);
  const mended = await send(world.url, '/api/key', { body: binding(second), headers });
  expect(mended.body).toEqual({
    ok: true,
    muse_id: museId,
    public_key: second.publicKey,
    replaced: true,
    token: expect.stringMatching(/^service_tok_[A-Za-z0-9_-]{43}$/),
    expires_at: expect.any(Number),
  });
  expect(await first.post('whoami')).toMatchObject({ status: 401, body: { code: 'signature_mismatch' } });
  expect(await whoami(headers)).toMatchObject({ status: 401, body: { code: 'bad_token' } });
  expect(await whoami(bearer(mended.body['token']))).toMatchObject({ body: { muse_id: museId, verified: false } });
  expect(await second.post('whoami')).toMatchObject({ status: 200, body: { verified: false, wallet: null } });
  expect(await keyChanges(second)).toEqual(['token']);

  await world.settle();
  const { body } = await send(world.url, `/api/muse/${museId}/keys`);
  expect(body).toMatchObject({
    keys: [
      { public_key: second.publicKey, until: null },
      { public_key: first.publicKey, until: (body['keys'] as JsonObject[])[0]!['from'] },
    ],
    next: null,
  });
  const { body: stats } = await send(world.url, '/api/stats');
  expect(stats['verified']).toBe(0);
});

describe('a key that its owner replaces', () => {
  test('frees the wallet, ends each token and stays taken', async () => {
    const [owner, other] = await world.raws('Owner', 'Other');
    await verified(owner);
    const issued = await owner.post('token', { action: 'issue' });
    expect(issued).toMatchObject({ status: 200, body: { token: expect.any(String), expires_at: expect.any(Number) } });
    const taken = await other.post('verify', { wallet: owner.wallet.address });
    expect(taken).toMatchObject({ status: 409, body: { code: 'wallet_taken' } });

    const next = newKeyFor(owner.museId);
    const changed = await owner.post('key', binding(next));
    expect(changed.body).toEqual({ ok: true, muse_id: owner.museId, public_key: next.publicKey, replaced: true });
    expect(await whoami(bearer(issued.body['token']))).toMatchObject({ status: 401, body: { code: 'bad_token' } });
    expect(await keyChanges(next)).toEqual(['signature']);
    const wallet = { wallet: owner.wallet.address };
    const payment = await paymentHeader(owner.wallet, await other.post('verify', wallet), world.now());
    expect(await other.post('verify', wallet, payment)).toMatchObject({ status: 200, body: { verified: true } });

    const again = await owner.post('register', { name: 'Owner again', headline: 'h' });
    expect(again).toMatchObject({ status: 409, body: { code: 'key_taken', field: 'public_key' } });
    const identity = await owner.post('identity', { name: 'Owner again', headline: 'h', wallet: other.wallet.address });
    expect(identity).toMatchObject({ status: 409, body: { code: 'key_taken' } });
    const backwards = newKeyFor(owner.museId);
    const former = { public_key: owner.publicKey, proof: proofOf(owner) };
    expect(await next.post('key', former)).toMatchObject({ status: 409, body: { code: 'key_taken' } });
    expect(await next.post('key', binding(backwards))).toMatchObject({ status: 200 });
  });

  test('binds no wallet for a payment that was pending', async () => {
    const owner = await world.raw('Under way');
    const body = owner.signed('verify', { wallet: owner.wallet.address });
    const offer = await owner.resend('verify', body);
    const next = newKeyFor(owner.museId);
    const payment = await paymentHeader(owner.wallet, offer, world.now());
    const [paid, changed] = await Promise.all([
      owner.resend('verify', body, payment),
      owner.post('key', binding(next)),
    ]);
    expect(changed.status).toBe(200);
    expect(['paid', 'void', 'refused']).toContain(
      paid.status === 200 ? (paid.body['void'] === undefined ? 'paid' : 'void') : 'refused',
    );
    expect(await next.post('whoami')).toMatchObject({ body: { verified: false } });
  });
});

describe('a key', () => {
  test('is bound once even if requested repeatedly', async () => {
    const owner = await world.raw('Once');
    const next = newKeyFor(owner.museId);
    const headers = { 'idempotency-key': newIdempotencyKey() };
    const body = owner.signed('key', binding(next));
    expect(await owner.resend('key', body, headers)).toMatchObject({ status: 200, body: { replaced: true } });
    expect(await next.post('key', binding(next))).toMatchObject({ status: 200, body: { replaced: false } });
    const bound = (await world.eventTypes(`muse-${owner.museId}`)).filter(type => type === 'KeyBound');
    expect(bound).toHaveLength(1);
  });

  test('that belongs to another muse is refused', async () => {
    const [owner, other] = await world.raws('Has a key', 'Wants a key');
    const stolen = newKeyFor(other.museId);
    const proof = proofOf(owner, other);
    const refused = await other.post('key', { public_key: owner.publicKey, proof });
    expect(refused).toMatchObject({ status: 409, body: { code: 'key_taken', field: 'public_key' } });
    const wrong = await other.post('key', { public_key: stolen.publicKey, proof });
    expect(wrong).toMatchObject({ status: 401, body: { code: 'proof_mismatch', field: 'proof' } });
    const short = await other.post('key', { public_key: stolen.publicKey, proof: 'short' });
    expect(short).toMatchObject({ status: 400, body: { code: 'proof', field: 'proof' } });
    for (const public_key of ['AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'short'])
      expect(await other.post('key', { public_key, proof })).toMatchObject({
        status: 400,
        body: { code: 'public_key' },
      });
  });

  test('goes to one of two identities that request it at the same time', async () => {
    const [one, two] = await world.raws('Wants it', 'Wants it too');
    const wanted = new RawAgent(world.url, () => world.now());
    const replies = await Promise.all(
      [one, two].map(agent => agent.post('key', { public_key: wanted.publicKey, proof: proofOf(wanted, agent) })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('a token', () => {
  test('is rotated: the new one works, the old one can only repeat the rotation', async () => {
    const { headers } = await quickstart(world.url, { name: 'Rotates', kind: 'r' });
    const key = { 'idempotency-key': newIdempotencyKey() };
    const rotated = await tokenOf('rotate', { ...headers, ...key });
    expect(rotated.body).toEqual({
      ok: true,
      token: expect.any(String),
      expires_at: expect.any(Number),
      revoked: true,
    });
    const { token } = rotated.body;
    expect(await tokenOf('rotate', { ...headers, ...key })).toMatchObject({ status: 200, body: { token } });
    expect((await tokenOf('rotate', { ...bearer(token), ...key })).body).toEqual(rotated.body);
    const dead = { status: 401, body: { code: 'bad_token' } };
    expect(await whoami(headers)).toMatchObject(dead);
    expect(await tokenOf('rotate', headers)).toMatchObject(dead);
    expect(await tokenOf('revoke', { ...headers, ...key })).toMatchObject(dead);
    expect(await tokenOf('rotate', { ...headers, 'idempotency-key': newIdempotencyKey() })).toMatchObject(dead);
    expect(await whoami(bearer(token))).toMatchObject({ status: 200 });
    await world.advance(DAY_MS + 1);
    expect(await tokenOf('rotate', { ...headers, ...key })).toMatchObject(dead);
    expect(await whoami(bearer(token))).toMatchObject({ status: 200 });
  });

  test('is rotated once by two concurrent rotations', async () => {
    const { headers } = await quickstart(world.url, { name: 'Rotates twice', kind: 'r' });
    const replies = await Promise.all([1, 2].map(() => tokenOf('rotate', headers)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test('is issued to a signer, at most twenty at a time', async () => {
    const agent = await world.raw('Signs');
    const tokens: unknown[] = [];
    for (let n = 0; n < 21; n += 1) tokens.push((await agent.post('token', { action: 'issue' })).body['token']);
    const answers = await Promise.all([tokens[0], tokens[1], tokens[20]].map(token => whoami(bearer(token))));
    expect(answers.map(({ status }) => status)).toEqual([401, 200, 200]);
    const refused = { status: 400, body: { code: 'action', field: 'action' } };
    expect(await tokenOf('renew', bearer(tokens[20]))).toMatchObject(refused);
    const { body } = await agent.post('token', { action: 'rotate' });
    expect(body).toMatchObject({ revoked: true, token: expect.any(String) });
    const left = await Promise.all([tokens[20], body['token']].map(token => whoami(bearer(token))));
    expect(left.map(({ status }) => status)).toEqual([401, 200]);
  });

  test('that was stolen is revoked during a burst of requests', async () => {
    const agent = await world.raw('Stolen from');
    const { token } = (await agent.post('token', { action: 'issue' })).body;
    const burst = Array.from({ length: 20 }, (_, n) =>
      send(world.url, '/api/post', { body: { text: `Spam ${n}` }, headers: bearer(token) }),
    );
    const revoked = agent.post('token', { action: 'revoke' });
    const replies = await Promise.all(burst);
    expect((await revoked).body).toEqual({ ok: true, revoked: true });
    expect(replies.every(({ status }) => status === 200 || status === 401)).toBe(true);
    const late = await send(world.url, '/api/post', { body: { text: 'Spam' }, headers: bearer(token) });
    expect(late).toMatchObject({ status: 401, body: { code: 'bad_token' } });
    expect((await agent.post('token', { action: 'revoke' })).body).toEqual({ ok: true, revoked: false });
    // Lets the owner delete what the thief posted.
    const spam = replies.find(({ status }) => status === 200);
    if (spam) expect(await agent.post('post_delete', { post_id: textOf(spam, 'id') })).toMatchObject({ status: 200 });
  });
});
