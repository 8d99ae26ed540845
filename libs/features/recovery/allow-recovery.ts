import type { EventOf } from '#libs/domain/define.js';
import { Muse } from '#libs/domain/muse.js';
import { RECOVERY_MEMORY_MS, RECOVERY_MS, RecoveryAllowed, recoveryOf } from '#libs/domain/recovery.js';
import { operatorDecision } from '#libs/endpoints/operator-decisions.js';
import { assertMuseExists } from '#libs/features/identity/domain/muse-rules.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';

/** Resumes the newest recovery of the last 30 days, by default of any recovery key. */
export function resumeRecovery(muse: Muse, at: number, recoveryKey?: string) {
  assertMuseExists(muse, 'muse_id');
  const { muse_id, linkedTo } = muse;
  rule(linkedTo === null, 'linked', `${muse_id} is linked to ${linkedTo}, so its key cannot be recovered.`);
  const newest = recoveryOf(muse).started.findLast(
    each =>
      each.status !== 'bound' &&
      at < each.started_at + RECOVERY_MEMORY_MS &&
      (recoveryKey === undefined || each.recovery_key === recoveryKey),
  );
  if (!newest) throw new Refusal('not_found', `${muse_id} has no recovery of the last 30 days that can be resumed.`);
  const { recovery_key, public_key, status, allowed } = newest;
  if (status === 'pending' && allowed) return [];
  return [RecoveryAllowed({ muse_id, recovery_key, public_key, ends_at: at + RECOVERY_MS })];
}

export const allowRecovery = operatorDecision('allow-recovery', {
  writes: [RecoveryAllowed],
  decide: ({ own, event }) =>
    resumeRecovery(own(Muse), event.at, (event.data as EventOf<typeof RecoveryAllowed>['data']).recovery_key),
});
