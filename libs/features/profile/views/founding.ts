import { Joined } from '#libs/domain/muse.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

export const FOUNDING_ID = 'all';
export const FOUNDING_MAX = 100;

export const FoundingDocument = d.object({ muses: d.list(d.museId) });
export type FoundingDocument = d.DocumentOf<typeof FoundingDocument>;

/** Ids of the first muses that joined, in the order of the log. */
export const Founding = defineProjection<typeof FoundingDocument>({
  name: 'founding',
  version: 1,
  shape: '7a2a6eea',
  document: FoundingDocument,
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
