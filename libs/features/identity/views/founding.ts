import { Joined } from '#libs/domain/muse.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

export const FOUNDING_ID = 'all';
const FOUNDING_MAX = 100;

/** Ids of the first muses that joined, in the order of the log. */
export const Founding = defineProjection('founding', d.object({ muses: d.list(d.museId) }), {
  shape: '7a2a6eea',
  steps: [
    on(
      Joined,
      ({ data }) => (data.muse_id === SYSTEM_ACCOUNT_ID ? [] : [FOUNDING_ID]),
      (document = { muses: [] }, { data: { muse_id } }) => {
        const { muses } = document;
        return muses.length < FOUNDING_MAX ? { muses: [...muses, muse_id] } : document;
      },
    ),
  ],
});
