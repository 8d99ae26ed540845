import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { Muse, Reinstated, Suspended } from '#libs/domain/muse.js';
import { serviceDecision } from '#libs/endpoints/decision.js';
import { assertMuseExists } from '#libs/endpoints/muse-rules.js';

export function suspendMuse(muse: Muse) {
  assertMuseExists(muse, 'muse_id');
  fieldRule(
    muse.muse_id !== SYSTEM_ACCOUNT_ID,
    'muse_id',
    'muse_id must not be the house: the house cannot be suspended.',
    'not_allowed',
  );
  return muse.suspended ? [] : [Suspended({ muse_id: muse.muse_id })];
}

export function reinstateMuse(muse: Muse) {
  assertMuseExists(muse, 'muse_id');
  return muse.suspended ? [Reinstated({ muse_id: muse.muse_id })] : [];
}

export const suspend = serviceDecision('suspend', {
  by: 'operator',
  writes: [Suspended],
  decide: ({ own }) => suspendMuse(own(Muse)),
});

export const reinstate = serviceDecision('reinstate', {
  by: 'operator',
  writes: [Reinstated],
  decide: ({ own }) => reinstateMuse(own(Muse)),
});
