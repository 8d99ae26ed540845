import { currentRecoveryKey, pendingRecovery, type Recovery } from '#libs/domain/recovery.js';
import * as w from '#libs/values/answer-schema.js';
import type { RecoveryDocument } from './recoveries.js';

export const RECOVERY = w.orNull(
  w.part('Recovery key, and the recovery that it or an earlier one started; null without both', {
    public_key: w.means('The recovery key; null if it was removed', w.orNull(w.publicKey)),
    named_at: w.orNull(w.time('When it was named, unix ms')),
    pending: w.orNull(
      w.part('The pending recovery', {
        public_key: w.means('The new key', w.publicKey),
        started_at: w.time(),
        ends_at: w.time('When the new key is bound, unix ms'),
      }),
    ),
  }),
);

export function showRecovery(recovery: Recovery) {
  const key = currentRecoveryKey(recovery);
  const pending = pendingRecovery(recovery);
  if (!key && !pending) return null;
  const { public_key, started_at, ends_at } = pending ?? {};
  return {
    public_key: key?.public_key ?? null,
    named_at: key?.named_at ?? null,
    pending: pending ? { public_key: public_key!, started_at: started_at!, ends_at: ends_at! } : null,
  };
}

export function showRecoveryDocument(recovery: RecoveryDocument | undefined) {
  if (!recovery || (recovery.public_key === null && recovery.pending === null)) return null;
  const { public_key, named_at, pending } = recovery;
  return { public_key, named_at, pending };
}
