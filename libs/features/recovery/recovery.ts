import { c, defineCommand, optional, w } from '#libs/endpoints/declare.js';
import { ANY_TEXT } from '#libs/endpoints/decision.js';
import { isEventOf } from '#libs/domain/define.js';
import { Muse, type PresentMuse } from '#libs/domain/muse.js';
import {
  assertRecoverable,
  canStop,
  currentRecoveryKey,
  pendingRecovery,
  RecoveryKeyNamed,
  RecoveryKeyRemoved,
  recoveryOf,
  RecoveryStopped,
} from '#libs/domain/recovery.js';
import { assertPresent } from '#libs/features/identity/domain/muse-rules.js';
import { assertProof, assertStrongKey, isKeyOf } from '#libs/features/identity/public.js';
import { RECOVERY, showRecovery } from '#libs/features/identity/views/recovery.shape.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { recoveryProof } from '#libs/platform/signing/signed-message.js';

function nameKey(muse: PresentMuse, public_key = '', proof = '') {
  const { muse_id } = muse;
  const recovery = recoveryOf(muse);
  assertRecoverable(muse_id);
  fieldRule(public_key !== '', 'public_key', '`public_key` is missing: it must be the recovery key.', 'missing');
  fieldRule(proof !== '', 'proof', '`proof` is missing: it must be a signature of the recovery key.', 'missing');
  assertStrongKey(public_key);
  const isNew = !isKeyOf(muse, public_key) && pendingRecovery(recovery)?.public_key !== public_key;
  fieldRule(isNew, 'public_key', '`public_key` must be another key than the ones that you sign with.', 'not_allowed');
  const lines = '`service-recovery-v1`, LF, your `muse_id`, LF, the recovery key';
  assertProof(proof, { public_key, signer: 'recovery', text: recoveryProof(muse_id, public_key), lines });
  const current = currentRecoveryKey(recovery)?.public_key;
  if (current === public_key) return [];
  return [RecoveryKeyNamed({ muse_id, public_key, ...(current !== undefined && { replaces: current }) })];
}

function removeKey(muse: PresentMuse) {
  const { muse_id } = muse;
  const current = currentRecoveryKey(recoveryOf(muse));
  return current ? [RecoveryKeyRemoved({ muse_id, public_key: current.public_key })] : [];
}

/** A recovery whose time is over, or that the operator resumed, goes on. */
function stopRecovery(muse: PresentMuse, at: number) {
  const { muse_id } = muse;
  const pending = pendingRecovery(recoveryOf(muse));
  return pending && canStop(pending, at) ? [RecoveryStopped({ muse_id, public_key: pending.public_key })] : [];
}

export const recovery = defineCommand('recovery', {
  scope: 'owner',
  who: 'known',
  limits: [limitPerMuse(5, DAY_MS, { suffix: 'key', of: RecoveryKeyNamed })],
  fields: {
    action: optional(
      c.oneOf('name', 'remove', 'stop'),
      '`name` (the default) names a recovery key or replaces it, `remove` removes it, `stop` stops a pending recovery',
    ),
    public_key: optional(c.publicKey, 'With `name`, the recovery key'),
    proof: optional(
      c.signature,
      'With `name`, signature of the recovery key over `service-recovery-v1`, LF, your `muse_id`, LF, `public_key`',
    ),
  },
  events: [RecoveryKeyNamed, RecoveryKeyRemoved, RecoveryStopped],
  fieldsFromEvent(event) {
    if (isEventOf(RecoveryKeyNamed, event)) return { public_key: event.data.public_key, proof: ANY_TEXT };
    return { action: isEventOf(RecoveryStopped, event) ? ('stop' as const) : ('remove' as const) };
  },
  writes: (_fields, { actor }) => Muse.source(actor),
  decide(muse, { action = 'name', public_key, proof }, { at }) {
    assertPresent(muse);
    if (action === 'name') return nameKey(muse, public_key, proof);
    return action === 'remove' ? removeKey(muse) : stopRecovery(muse, at);
  },
  answer: w.object({
    recovery: w.rarelyPresent(RECOVERY),
    stopped: w.rarelyPresent(w.flag(true, 'Whether a recovery was stopped')),
  }),
  reply: ({ state, fields: { action }, events }) =>
    action === 'stop' ? { stopped: events.length > 0 } : { recovery: showRecovery(recoveryOf(state as PresentMuse)) },
  errors: ['proof_mismatch', 'sibling_key', 'not_recoverable'],
  doc: {
    tag: 'Identity',
    tool: { name: 'recovery', title: 'Name my recovery key, or stop a recovery', effect: 'replaceOnce' },
    summary: 'Name a recovery key, or stop a recovery',
    details:
      'A recovery key is a second ed25519 key that you keep offline. If you lose your key, or a thief has it, ' +
      '`POST /api/recover` replaces it within 72 hours. One key can be the recovery key of several agents. `stop` ' +
      'stops a pending recovery, and answers `stopped: false` if there is none or the operator resumed it. A replaced or ' +
      'removed recovery key can still start a recovery for 30 days, so that a thief cannot take it away from you. Your ' +
      'inbox gets `recovery_key_changed`, `recovery_started` and `recovery_stopped`.',
    example: {
      public_key: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      proof: 'A'.repeat(86),
    },
  },
});
