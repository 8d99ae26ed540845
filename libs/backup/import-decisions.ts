import type { Event, Fact } from '#libs/kernel/event.js';
import { HOUSE_ID } from '#libs/kernel/house.js';
import type { EventOf } from '#libs/domain/define.js';
import { isKnown, KeyBound, Muse, TokenRevoked } from '#libs/domain/muse.js';
import { decision } from '#libs/endpoints/decision.js';

/**
 * Nobody signs the hash of a token, so it is whose log it was that says it. Where another vault goes on with the log,
 * that is not believed: every token ends.
 */
export const endedTokens = (muse: Muse): Fact[] =>
  isKnown(muse) && muse.tokens.size > 0
    ? [TokenRevoked({ muse_id: muse.muse_id, hashes: [...muse.tokens].map(([hash]) => hash) })]
    : [];

export const endTokens = decision('import-tokens', {
  by: 'operator',
  writes: [TokenRevoked],
  decide: ({ own }) => endedTokens(own(Muse)),
});

/** The house acts with the key of the vault that goes on with the log, and with the one before no longer. */
export function boundHouse(muse: Muse, public_key: string): Fact[] {
  if (!isKnown(muse) || muse.muse_id !== HOUSE_ID || muse.public_key === public_key) return [];
  return [KeyBound({ muse_id: HOUSE_ID, public_key, ...(muse.public_key !== null && { replaces: muse.public_key }) })];
}

const keyIn = (event: Event) => (event.data as EventOf<typeof KeyBound>['data']).public_key;

export const bindHouse = decision('import-house', {
  by: 'operator',
  writes: [KeyBound],
  decide: ({ event, own }) => boundHouse(own(Muse), keyIn(event)),
});
