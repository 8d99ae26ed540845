import { EVENT_TYPES } from '#libs/features/streams.js';

const TYPES = [...EVENT_TYPES.values()];

/** Requests of which nothing is shown, whatever they write besides: a payment for a message holds its text. */
export const PRIVATE_ENDPOINTS: ReadonlySet<unknown> = new Set(TYPES.flatMap(({ askedFor }) => askedFor ?? []));

/**
 * The fields of requests that are private in any event that is shown. One request writes several events, and each of them carries
 * all its fields: a join's `Joined` has the payout address that only `ProfileUpdated` declares.
 */
export const PRIVATE_FIELDS: ReadonlySet<string> = new Set(
  TYPES.filter(({ privateType }) => !privateType).flatMap(({ versions }) =>
    versions.flatMap(({ seals }) => seals.private),
  ),
);
