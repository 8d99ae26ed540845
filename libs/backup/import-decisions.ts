import type { Event, Fact } from '#libs/kernel/event.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import type { EventOf } from '#libs/domain/define.js';
import { isKnownMuse, KeyBound, Muse, TokenRevoked } from '#libs/domain/muse.js';
import { revokeAllTokens } from '#libs/domain/token-ends.js';
import { serviceDecision } from '#libs/endpoints/decision.js';

/** Token hashes are unsigned, so a service with another vault cannot trust those of the export. */
export const tokenRevocations = (muse: Muse): Fact[] => (isKnownMuse(muse) ? revokeAllTokens(muse) : []);

export const endTokens = serviceDecision('import-tokens', {
  by: 'operator',
  writes: [TokenRevoked],
  decide: ({ own }) => tokenRevocations(own(Muse)),
});

export function houseBinding(muse: Muse, public_key: string): Fact[] {
  if (!isKnownMuse(muse) || muse.muse_id !== SYSTEM_ACCOUNT_ID || muse.public_key === public_key) return [];
  return [
    KeyBound({
      muse_id: SYSTEM_ACCOUNT_ID,
      public_key,
      ...(muse.public_key !== null && { replaces: muse.public_key }),
    }),
  ];
}

const boundKey = (event: Event) => (event.data as EventOf<typeof KeyBound>['data']).public_key;

export const bindHouse = serviceDecision('import-house', {
  by: 'operator',
  writes: [KeyBound],
  decide: ({ event, own }) => houseBinding(own(Muse), boundKey(event)),
});
