import { Endorsed } from '#libs/features/network/domain/endorsement.js';
import type { EventOf } from '#libs/domain/define.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

export const EndorsementCountDocument = d.object({ count: d.integer, cited: d.integer });
export type EndorsementCountDocument = d.DocumentOf<typeof EndorsementCountDocument>;

const NONE: EndorsementCountDocument = { count: 0, cited: 0 };

/** A new endorsement of the same skill replaces the previous one. */
export function countEndorsement(counts: EndorsementCountDocument, { hire, was }: EventOf<typeof Endorsed>['data']) {
  const cited = (hire === null ? 0 : 1) - (was === 'cited' ? 1 : 0);
  return { count: counts.count + (was === null ? 1 : 0), cited: counts.cited + cited };
}

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
