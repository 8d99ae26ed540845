import { expect, test } from '@jest/globals';
import { REPEAT_KEY_RETENTION, RequestLocks, NONCE_RETENTION } from '#libs/http/request-locks.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { MemoryCoordination } from '../../doubles/memory-coordination.js';

const NOW = 1_700_000_000_000;
const ANSWER = '{"payout_address":"0x1111111111111111111111111111111111111111"}';
const conflict = () => new Refusal('idempotency_conflict', 'Another body.');

function kept(secret = new Uint8Array(32)) {
  const state = new MemoryCoordination();
  const locks = (key = secret) => new RequestLocks(state, { now: () => NOW }, key);
  const acquire = (key?: Uint8Array<ArrayBuffer>) =>
    locks(key).acquire('idempotency/a', {
      digest: 'digest',
      requestKey: 'request',
      keep: REPEAT_KEY_RETENTION,
      conflict,
      isUnpaid: async () => false,
    });
  return { state, acquire };
}

test('a saved response is stored encrypted and returned unchanged', async () => {
  const { state, acquire } = kept();
  await (await acquire()).complete(() => ANSWER);
  const value = (await state.get('idempotency/a', NOW))!;
  expect(value).toContain('"spent"');
  expect(value).not.toContain('payout_address');
  expect(await acquire()).toMatchObject({ isCompleted: true, answer: ANSWER, requestKey: 'request' });
});

test('a key stays spent if another vault encrypted its response', async () => {
  const { acquire } = kept();
  await (await acquire()).complete(() => ANSWER);
  const again = await acquire(new Uint8Array(32).fill(1));
  expect([again.isCompleted, again.answer]).toEqual([true, undefined]);
});

test('a request with a failed payment frees its nonce and a completed one keeps it', async () => {
  const locks = new RequestLocks(new MemoryCoordination(), { now: () => NOW }, new Uint8Array(32));
  const acquire = (digest: string) =>
    locks.acquire('nonce/a', {
      digest,
      requestKey: 'request',
      keep: NONCE_RETENTION,
      conflict,
      isUnpaid: async () => true,
    });
  await (await acquire('one')).suspend(true);
  await (await acquire('another')).suspend(true);
  await (await acquire('another')).complete();
  await expect(acquire('one')).rejects.toMatchObject({ code: 'idempotency_conflict' });
});
