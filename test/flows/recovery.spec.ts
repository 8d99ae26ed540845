import { expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import { newIdempotencyKey, quickstart, type RawAgent, send } from '../raw-agent.js';
import { binding, isBound, keyFor, naming, refused, withRecoveryKey } from '../recovery-keys.js';
import { useWorld } from '../use-world.js';
import { operatorBeside } from './operator-beside.js';

const world = useWorld();

const shownKeys = async ({ museId }: RawAgent) => world.read(`/api/muse/${museId}/keys`);
const eventTypes = ({ museId }: RawAgent) => world.eventTypes(`muse-${museId}`);
async function kindsOf(agent: RawAgent): Promise<JsonObject[]> {
  await world.settle();
  const { body } = await agent.post('inbox', { peek: 'true' });
  return (body['items'] as JsonObject[]).filter(({ kind }) => /key_changed|recovery/.test(kind as string));
}
test('an owner names, replaces and removes a recovery key', async () => {
  const owner = await world.raw('Careful');
  const [first, second] = [keyFor(world, owner.museId), keyFor(world, owner.museId)];
  expect((await owner.post('whoami')).body['recovery']).toBeNull();
  const named = await owner.post('recovery', naming(first));
  const shown = { public_key: first.publicKey, named_at: expect.any(Number), pending: null };
  expect(named.body).toEqual({ ok: true, recovery: shown });
  expect((await owner.post('recovery', naming(first))).body).toEqual(named.body);
  expect((await owner.post('whoami')).body['recovery']).toEqual(named.body['recovery']);
  expect(await shownKeys(owner)).toMatchObject({ recovery: shown });
  expect(await owner.post('recovery', { action: 'name', ...naming(second) })).toMatchObject({
    body: { recovery: { public_key: second.publicKey } },
  });
  expect((await owner.post('recovery', { action: 'stop' })).body).toEqual({ ok: true, stopped: false });
  expect((await owner.post('recovery', { action: 'remove' })).body).toEqual({ ok: true, recovery: null });
  expect((await owner.post('recovery', { action: 'remove' })).body).toEqual({ ok: true, recovery: null });
  expect(await shownKeys(owner)).toMatchObject({ recovery: null });
  expect(await eventTypes(owner)).toEqual([
    ...['Registered', 'Joined', 'ProfileUpdated', 'RecoveryKeyNamed', 'RecoveryKeyNamed', 'RecoveryKeyRemoved'],
  ]);
  expect((await kindsOf(owner)).map(({ kind }) => kind)).toEqual(Array(3).fill('recovery_key_changed'));
});

test('a recovery key that proves nothing is refused', async () => {
  const { owner, recovery } = await withRecoveryKey(world, 'Proving');
  const other = keyFor(world, owner.museId);
  expect(await owner.post('recovery')).toMatchObject(refused(400, 'public_key', 'public_key'));
  expect(await owner.post('recovery', { public_key: other.publicKey })).toMatchObject(refused(400, 'proof', 'proof'));
  const weak = { public_key: 'A'.repeat(43), proof: 'A'.repeat(86) };
  expect(await owner.post('recovery', weak)).toMatchObject(refused(400, 'public_key', 'public_key'));
  expect(await owner.post('recovery', naming(owner))).toMatchObject(refused(400, 'public_key', 'public_key'));
  const wrong = naming(other, 'agent_0000000000');
  expect(await owner.post('recovery', wrong)).toMatchObject(refused(401, 'proof_mismatch', 'proof'));
  const changed = keyFor(world, owner.museId);
  await owner.ok('key', binding(changed));
  expect(await changed.post('recovery', naming(owner))).toMatchObject(refused(400, 'public_key', 'public_key'));
  expect(await recovery.post('recovery', { action: 'remove' })).toMatchObject(refused(401, 'signature_mismatch'));
  for (const endpoint of ['whoami', 'post', 'key'])
    expect(await recovery.post(endpoint, { text: 'By a recovery key.' })).toMatchObject({ status: 401 });
});

test('a lost key is replaced 72 hours after the recovery key signs', async () => {
  const { owner, recovery, next } = await withRecoveryKey(world, 'Lost');
  await owner.buy('verify', { wallet: owner.wallet.address });
  const { token } = (await owner.ok('token', { action: 'issue' })).body;
  const headers = { 'idempotency-key': newIdempotencyKey() };
  const body = recovery.signed('recover', binding(next));
  const started = await recovery.resend('recover', body, headers);
  const times = { started_at: expect.any(Number), ends_at: expect.any(Number) };
  expect(started.body).toEqual({ ok: true, public_key: next.publicKey, ...times });
  const { started_at, ends_at } = started.body as { readonly started_at: number; readonly ends_at: number };
  expect(ends_at - started_at).toBe(72 * HOUR_MS);
  expect((await recovery.resend('recover', body, headers)).body).toEqual(started.body);
  expect(await recovery.resend('recover', body)).toMatchObject(refused(409, 'nonce_used'));
  expect((await recovery.ok('recover', binding(next))).body).toEqual(started.body);
  const pending = { public_key: next.publicKey, started_at, ends_at };
  expect((await owner.ok('whoami')).body['recovery']).toMatchObject({ pending });
  expect(await shownKeys(owner)).toMatchObject({ recovery: { public_key: recovery.publicKey, pending } });
  const other = await world.raw('Other');
  const taken = { public_key: next.publicKey, proof: next.proof(`service-key-v1\n${other.museId}\n${next.publicKey}`) };
  expect(await other.post('key', taken)).toMatchObject(refused(409, 'key_taken'));

  await world.advance(71 * HOUR_MS);
  await owner.ok('post', { text: 'I still act.' });
  await world.advance(HOUR_MS);
  await isBound(next);
  expect(await owner.post('whoami')).toMatchObject(refused(401, 'signature_mismatch'));
  const byToken = await send(world.url, '/api/whoami', {
    body: {},
    headers: { authorization: `Bearer ${token as string}` },
  });
  expect(byToken).toMatchObject(refused(401, 'bad_token'));
  expect((await next.ok('whoami')).body).toMatchObject({ verified: false, recovery: { pending: null } });
  expect(await shownKeys(owner)).toMatchObject({
    keys: [{ public_key: next.publicKey }, {}],
    recovery: { pending: null },
  });
  expect((await eventTypes(owner)).slice(-3)).toEqual(['VerificationEnded', 'TokenRevoked', 'KeyBound']);
  expect(await kindsOf(next)).toMatchObject([
    { kind: 'recovery_key_changed' },
    { kind: 'recovery_started', ends_at },
    { kind: 'key_changed', by: 'recovery' },
  ]);
});

test('a recovery that the owner stops binds nothing until it is signed again', async () => {
  const { owner, recovery, next } = await withRecoveryKey(world, 'Watchful');
  await recovery.ok('recover', binding(next));
  expect((await owner.ok('recovery', { action: 'stop' })).body).toEqual({ ok: true, stopped: true });
  expect((await owner.ok('recovery', { action: 'stop' })).body).toEqual({ ok: true, stopped: false });
  await world.advance(73 * HOUR_MS);
  await new Promise(resolve => setTimeout(resolve, 1_000));
  expect(await next.post('whoami')).toMatchObject(refused(401, 'signature_mismatch'));
  expect((await kindsOf(owner)).map(({ kind }) => kind)).toEqual([
    ...['recovery_key_changed', 'recovery_started', 'recovery_stopped'],
  ]);
  await recovery.ok('recover', binding(next));
  const changed = keyFor(world, owner.museId);
  await owner.ok('key', binding(changed));
  await world.advance(72 * HOUR_MS);
  await isBound(next);
  expect(await changed.post('whoami')).toMatchObject(refused(401, 'signature_mismatch'));
});

test('a recovery key starts three recoveries in 30 days', async () => {
  const { owner, recovery } = await withRecoveryKey(world, 'Patient');
  for (let start = 1; start <= 3; start += 1) {
    await recovery.ok('recover', binding(keyFor(world, owner.museId)));
    await owner.ok('recovery', { action: 'stop' });
  }
  const next = keyFor(world, owner.museId);
  const fourth = await recovery.post('recover', binding(next));
  expect(fourth).toMatchObject({ status: 429, body: { code: 'rate_limited', limit: 'recover' } });
  expect(Number(fourth.headers.get('retry-after'))).toBeGreaterThan((29 * DAY_MS) / 1000);
  await world.advance(30 * DAY_MS);
  await recovery.ok('recover', binding(next));
});

test('only a recovery key of the agent starts a recovery', async () => {
  const { owner, recovery, next } = await withRecoveryKey(world, 'Guarded');
  const stranger = keyFor(world, owner.museId);
  for (const key of [stranger, owner])
    expect(await key.post('recover', binding(next))).toMatchObject(refused(401, 'signature_mismatch'));
  const { headers } = await quickstart(world.url, { name: 'Token only' });
  const byToken = await send(world.url, '/api/recover', { body: binding(next), headers });
  expect(byToken).toMatchObject(refused(401, 'unsigned'));
  const without = await world.raw('Without');
  const none = keyFor(world, without.museId);
  expect(await none.post('recover', binding(next))).toMatchObject(refused(409, 'no_recovery_key'));
  expect(await keyFor(world, 'agent_0000000000').post('recover', binding(next))).toMatchObject(
    refused(401, 'unknown_muse'),
  );
  expect(await recovery.post('recover', { ...binding(next), proof: binding(stranger).proof })).toMatchObject(
    refused(401, 'proof_mismatch', 'proof'),
  );
  const weak = { public_key: 'A'.repeat(43), proof: 'A'.repeat(86) };
  expect(await recovery.post('recover', weak)).toMatchObject(refused(400, 'public_key', 'public_key'));
  for (const key of [owner, recovery])
    expect(await recovery.post('recover', binding(key))).toMatchObject(refused(400, 'public_key', 'public_key'));
  const taken = {
    public_key: without.publicKey,
    proof: without.proof(`service-key-v1\n${owner.museId}\n${without.publicKey}`),
  };
  expect(await recovery.post('recover', taken)).toMatchObject(refused(409, 'key_taken', 'public_key'));
});

test('the operator resumes a recovery that a thief keeps stopping', async () => {
  const { owner: thief, recovery, next } = await withRecoveryKey(world, 'Stolen');
  await recovery.ok('recover', binding(next));
  await thief.ok('recovery', { action: 'stop' });
  const { json } = await operatorBeside(world, ['allow-recovery', thief.museId, '--reason', 'Its owner met us.']);
  expect(json).toMatchObject({ muse_id: thief.museId, recovery_key: recovery.publicKey, public_key: next.publicKey });
  expect((await thief.ok('recovery', { action: 'stop' })).body).toEqual({ ok: true, stopped: false });
  await world.advance(72 * HOUR_MS);
  await isBound(next);
});

test('a client names a recovery key, and recovers with it', async () => {
  const agent = await world.agent('Client');
  const recovery = await agent.nameRecoveryKey();
  const { next, endsAt } = await recovery.recoverKey();
  expect((await agent.whoami()).recovery).toMatchObject({
    public_key: recovery.publicKey,
    pending: { public_key: next.publicKey, ends_at: endsAt },
  });
  expect(await agent.recovery({ action: 'stop' })).toMatchObject({ stopped: true });
});
