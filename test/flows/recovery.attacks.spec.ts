import { describe, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import type { SignableFields } from '#libs/platform/signing/signed-message.js';
import { quickstart, type RawAgent, send } from '../raw-agent.js';
import { binding, isBound, keyFor, naming, refused, withRecoveryKey } from '../recovery-keys.js';
import { useWorld } from '../use-world.js';
import { operatorBeside } from './operator-beside.js';

const world = useWorld();

const pendingOf = async (agent: RawAgent) => (await agent.ok('whoami')).body['recovery'];
const allow = async (museId: string, ...argv: string[]) =>
  (await operatorBeside(world, ['allow-recovery', museId, ...argv])).json;

test('a recovery key that a thief names never displaces that of the owner', async () => {
  const { owner: thief, recovery, next } = await withRecoveryKey(world, 'Robbed');
  const named = keyFor(world, thief.museId);
  await thief.ok('recovery', naming(named));
  const stolen = keyFor(world, thief.museId);
  await named.ok('recover', binding(stolen));
  await recovery.ok('recover', binding(next));
  expect(await pendingOf(thief)).toMatchObject({
    public_key: named.publicKey,
    pending: { public_key: next.publicKey },
  });
  const late = await named.post('recover', binding(stolen));
  expect(late).toMatchObject(refused(409, 'recovery_pending'));
  expect(late.body['ends_at']).toBeGreaterThan(world.now());
  const again = keyFor(world, thief.museId);
  expect(await recovery.post('recover', binding(again))).toMatchObject(refused(409, 'recovery_pending'));
  // The proof of the first naming is public, so a thief can send it again: the key keeps its place.
  await thief.ok('recovery', naming(recovery));
  expect(await named.post('recover', binding(stolen))).toMatchObject(refused(409, 'recovery_pending'));
  await world.advance(72 * HOUR_MS);
  await isBound(next);
  expect(await stolen.post('whoami')).toMatchObject(refused(401, 'signature_mismatch'));
});

test('a removed recovery key can start a recovery for 30 days', async () => {
  const { owner, recovery, next } = await withRecoveryKey(world, 'Removing');
  await owner.ok('recovery', { action: 'remove' });
  await world.advance(30 * DAY_MS - HOUR_MS);
  await recovery.ok('recover', binding(next));
  expect(await pendingOf(owner)).toMatchObject({
    public_key: null,
    named_at: null,
    pending: { public_key: next.publicKey },
  });
  await owner.ok('recovery', { action: 'stop' });
  await world.advance(HOUR_MS);
  expect(await recovery.post('recover', binding(next))).toMatchObject(refused(409, 'no_recovery_key'));
  await owner.ok('recovery', naming(keyFor(world, owner.museId)));
  expect(await recovery.post('recover', binding(next))).toMatchObject(refused(401, 'signature_mismatch'));
});

test('a stop that comes after the end of a recovery stops nothing', async () => {
  const { owner, recovery, next } = await withRecoveryKey(world, 'Late');
  await recovery.ok('recover', binding(next));
  await world.advance(72 * HOUR_MS);
  const late = await owner.post('recovery', { action: 'stop' });
  expect(late.status === 401 || late.body['stopped'] === false).toBe(true);
  await isBound(next);
});

test('an outage delays a recovery and changes nothing else', async () => {
  const { recovery, next } = await withRecoveryKey(world, 'Delayed');
  await recovery.ok('recover', binding(next));
  await world.restart({}, () => world.advance(100 * HOUR_MS).catch(() => undefined));
  next.url = world.url;
  await isBound(next);
});

describe('a token', () => {
  test('stops a recovery, and is replaced by one with every other token', async () => {
    const { museId, headers } = await quickstart(world.url, { name: 'By token' });
    const recovery = keyFor(world, museId);
    const next = keyFor(world, museId);
    const post = (path: string, body: object) => send(world.url, path, { body, headers });
    expect((await post('/api/recovery', naming(recovery))).status).toBe(200);
    await recovery.ok('recover', binding(next));
    expect((await post('/api/recovery', { action: 'stop' })).body).toEqual({ ok: true, stopped: true });
    await recovery.ok('recover', binding(next));
    await world.advance(72 * HOUR_MS);
    await isBound(next);
    expect(await post('/api/whoami', {})).toMatchObject(refused(401, 'bad_token'));
    await world.settle();
    const { body } = await next.post('inbox', { peek: 'true' });
    expect(body['items']).toContainEqual(expect.objectContaining({ kind: 'key_changed', by: 'recovery' }));
  });

  test('with limits neither names a recovery key nor stops a recovery', async () => {
    const { owner, recovery, next } = await withRecoveryKey(world, 'Limited');
    await recovery.ok('recover', binding(next));
    const limited: SignableFields[] = [{ scope: 'work' }, { scope: 'read' }, { spend_usd_a_day: '5' }];
    for (const limits of limited) {
      const { token } = (await owner.ok('token', { action: 'issue', ...limits })).body;
      const headers = { authorization: `Bearer ${token as string}` };
      for (const body of [{ action: 'stop' }, { action: 'remove' }, naming(keyFor(world, owner.museId))])
        expect(await send(world.url, '/api/recovery', { body, headers })).toMatchObject(refused(403, 'scope'));
    }
    expect(await pendingOf(owner)).toMatchObject({ pending: { public_key: next.publicKey } });
  });
});

test('a new key that the agent binds itself ends the recovery', async () => {
  const { owner, recovery, next } = await withRecoveryKey(world, 'Both');
  await recovery.ok('recover', binding(next));
  await owner.ok('key', binding(next));
  expect(await pendingOf(next)).toMatchObject({ pending: null });
  expect(await recovery.post('recover', binding(next))).toMatchObject(refused(400, 'public_key'));
  expect(await next.post('recovery', naming(next))).toMatchObject(refused(400, 'public_key'));
});

test('one key goes to a recovery or to another agent', async () => {
  const [{ owner, recovery, next }, other] = await Promise.all([withRecoveryKey(world, 'Racing'), world.raw('Rival')]);
  const replies = await Promise.all([
    recovery.post('recover', binding(next)),
    other.post('key', binding(next, other.museId)),
  ]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  await owner.ok('recovery', { action: 'stop' });
  const changed = keyFor(world, owner.museId);
  const [started, bound] = await Promise.all([
    recovery.post('recover', binding(keyFor(world, owner.museId))),
    owner.post('key', binding(changed)),
  ]);
  expect([started.status, bound.status]).toEqual([200, 200]);
  expect(await pendingOf(changed)).toMatchObject({ pending: { public_key: expect.any(String) } });
});

test('a request that was stopped starts nothing when it is sent again', async () => {
  const { owner, recovery, next } = await withRecoveryKey(world, 'Replayed');
  const request = recovery.signed('recover', binding(next));
  expect((await recovery.resend('recover', request)).status).toBe(200);
  await owner.ok('recovery', { action: 'stop' });
  await recovery.resend('recover', request);
  await world.advance(HOUR_MS);
  expect((await recovery.resend('recover', request)).status).toBe(401);
  expect(await pendingOf(owner)).toMatchObject({ pending: null });
});

test('a thief that changes the key and issues tokens loses both at the end', async () => {
  const { owner: thief, recovery, next } = await withRecoveryKey(world, 'Changed');
  await recovery.ok('recover', binding(next));
  const stolen = keyFor(world, thief.museId);
  await thief.ok('key', binding(stolen));
  const { token } = (await stolen.ok('token', { action: 'issue' })).body;
  await world.advance(72 * HOUR_MS);
  await isBound(next);
  const headers = { authorization: `Bearer ${token as string}` };
  expect(await send(world.url, '/api/whoami', { body: {}, headers })).toMatchObject(refused(401, 'bad_token'));
  for (const former of [thief, stolen]) {
    expect(await former.post('recovery', { action: 'stop' })).toMatchObject(refused(401, 'signature_mismatch'));
    expect(await next.post('key', binding(former))).toMatchObject(refused(409, 'key_taken'));
  }
});

test('the key of a recovery belongs to no other recovery or agent until it ends', async () => {
  const [first, second] = [await withRecoveryKey(world, 'Claiming'), await withRecoveryKey(world, 'Wanting')];
  await first.recovery.ok('recover', binding(first.next));
  const wanted = binding(first.next, second.owner.museId);
  expect(await second.recovery.post('recover', wanted)).toMatchObject(refused(409, 'key_taken'));
  expect(await second.owner.post('key', wanted)).toMatchObject(refused(409, 'key_taken'));
  expect(await first.owner.post('recovery', naming(first.next))).toMatchObject(refused(400, 'public_key'));
});

test('one recovery key serves several agents', async () => {
  const { owner, recovery } = await withRecoveryKey(world, 'Elder');
  const younger = await world.raw('Younger');
  await younger.ok('recovery', naming(recovery, younger.museId));
  const next = keyFor(world, owner.museId);
  const other = { ...binding(next), muse_id: younger.museId };
  expect(await recovery.resend('recover', { ...recovery.signed('recover', binding(next)), ...other })).toMatchObject(
    refused(401, 'signature_mismatch'),
  );
  await recovery.ok('recover', binding(next));
  expect(await pendingOf(younger)).toMatchObject({ pending: null });
});

test('forget ends a recovery', async () => {
  const { owner, recovery, next } = await withRecoveryKey(world, 'Forgetful');
  await recovery.ok('recover', binding(next));
  await owner.ok('forget', { confirm: owner.museId });
  expect(await recovery.post('recover', binding(next))).toMatchObject(refused(401, 'forgotten'));
  await world.advance(73 * HOUR_MS);
  expect(await next.post('whoami')).toMatchObject(refused(401, 'forgotten'));
  expect(await world.read(`/api/muse/${owner.museId}/keys`)).toMatchObject({ recovery: null });
  const heir = await world.raw('Heir');
  await heir.ok('key', binding(next, heir.museId));
});

test('a link waits for the recovery of either identity', async () => {
  const [later, earlier] = [await withRecoveryKey(world, 'Later'), await withRecoveryKey(world, 'Earlier')];
  for (const { owner, recovery, next } of [later, earlier]) {
    await recovery.ok('recover', binding(next));
    expect(await later.owner.link(earlier.owner)).toMatchObject(refused(409, 'recovery_pending'));
    await owner.ok('recovery', { action: 'stop' });
  }
  expect((await later.owner.link(earlier.owner)).status).toBe(200);
  expect(await earlier.recovery.post('recover', binding(earlier.next))).toMatchObject(refused(403, 'linked'));
  expect(await earlier.owner.post('recovery', { action: 'remove' })).toMatchObject(refused(403, 'linked'));
  await expect(allow(earlier.owner.museId)).rejects.toThrow('linked');
});

test('a suspended agent names a recovery key and is recovered', async () => {
  const { owner, recovery, next } = await withRecoveryKey(world, 'Suspended');
  await operatorBeside(world, ['suspend', owner.museId]);
  await owner.ok('recovery', naming(keyFor(world, owner.museId)));
  await recovery.ok('recover', binding(next));
  await owner.ok('recovery', { action: 'stop' });
});

describe('the operator', () => {
  test('resumes the recovery of the key that it names', async () => {
    const { owner: thief, recovery, next } = await withRecoveryKey(world, 'Contested');
    await recovery.ok('recover', binding(next));
    await thief.ok('recovery', { action: 'stop' });
    const named = keyFor(world, thief.museId);
    const stolen = keyFor(world, thief.museId);
    await thief.ok('recovery', naming(named));
    await named.ok('recover', binding(stolen));
    const report = await allow(thief.museId, '--key', recovery.publicKey, '--reason', 'Its owner met us.');
    expect(report).toMatchObject({ recovery_key: recovery.publicKey, public_key: next.publicKey, changed: true });
    expect(await allow(thief.museId)).toMatchObject({ public_key: next.publicKey, changed: false });
    expect(await named.post('recover', binding(stolen))).toMatchObject(refused(409, 'recovery_pending'));
    expect((await thief.ok('recovery', { action: 'stop' })).body).toMatchObject({ stopped: false });
    await world.advance(72 * HOUR_MS);
    await isBound(next);
    await expect(allow(thief.museId, '--key', recovery.publicKey)).rejects.toThrow('has no recovery');
  });

  test('resumes no recovery after 30 days', async () => {
    const { owner, recovery, next } = await withRecoveryKey(world, 'Ancient');
    await expect(allow(owner.museId)).rejects.toThrow('has no recovery');
    await recovery.ok('recover', binding(next));
    await owner.ok('recovery', { action: 'stop' });
    await world.advance(30 * DAY_MS);
    await expect(allow(owner.museId)).rejects.toThrow('has no recovery');
  });
});
