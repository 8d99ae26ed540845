import { EVENT_TYPES } from '#libs/features/streams.js';

const TYPES = [...EVENT_TYPES.values()];

/** Endpoints whose requests are hidden entirely: a payment for a message contains its text. */
export const PRIVATE_ENDPOINTS: ReadonlySet<unknown> = new Set(TYPES.flatMap(({ askedFor }) => askedFor ?? []));

/**
 * Every event of a request carries all its fields: a join's `Joined` contains the payout address that only
 * `ProfileUpdated` declares private.
 */
export const PRIVATE_FIELDS: ReadonlySet<string> = new Set(
  TYPES.filter(({ privateType }) => !privateType).flatMap(({ versions }) =>
    versions.flatMap(({ seals }) => seals.private),
  ),
);
