import { Endorsed } from '#libs/features/network/domain/endorsement.js';
import * as d from '#libs/views/document-schema.js';
import { countEndorsement } from './muse-counters.js';
import { on, defineProjection } from '#libs/views/projection.js';

export const EndorsementCountDocument = d.object({ count: d.integer, cited: d.integer });
export type EndorsementCountDocument = d.DocumentOf<typeof EndorsementCountDocument>;

const NONE: EndorsementCountDocument = { count: 0, cited: 0 };

export const endorsementCountKey = (to: string, from: string) => `${to}:${from}`;

/**
 * Endorsements per pair of muses. Linked muses' endorsements of each other are subtracted from their totals by these
 * ids.
 */
export const EndorsementCounts = defineProjection('endorsement_counts', EndorsementCountDocument, {
  shape: '75f27daa',
  steps: [
    on(
      Endorsed,
      ({ data: { to, from } }) => [endorsementCountKey(to, from)],
      (count = NONE, { data }) => countEndorsement(count, data),
    ),
  ],
});
