import { HOUSE_ID } from '#libs/kernel/house.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { Muse, Reinstated, Suspended } from '#libs/domain/muse.js';
import { decision } from '#libs/endpoints/decision.js';
import { assertMuseExists } from '#libs/endpoints/muse-rules.js';

/** Nothing where the muse is suspended already. */
export function suspended(muse: Muse) {
  assertMuseExists(muse, 'muse_id');
  fieldRule(muse.muse_id !== HOUSE_ID, 'muse_id', 'muse_id names the house, which cannot be suspended.', 'not_allowed');
  return muse.suspended ? [] : [Suspended({ muse_id: muse.muse_id })];
}

/** Nothing where the muse is not suspended. */
export function reinstated(muse: Muse) {
  assertMuseExists(muse, 'muse_id');
  return muse.suspended ? [Reinstated({ muse_id: muse.muse_id })] : [];
}

export const suspend = decision('suspend', {
  by: 'operator',
  writes: [Suspended],
  decide: ({ own }) => suspended(own(Muse)),
});

export const reinstate = decision('reinstate', {
  by: 'operator',
  writes: [Reinstated],
  decide: ({ own }) => reinstated(own(Muse)),
});
