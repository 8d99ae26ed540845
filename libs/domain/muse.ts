import type { EventOf } from '#libs/events/define.js';
import type { ClaimLost, Joined, ProfileUpdated, Registered, TokenIssued, Verified } from '#libs/events/muse.js';
import type { Entity } from '#libs/kernel/decide.js';
import type { Event } from '#libs/kernel/event.js';

/** The parts of a profile that commands decide on; null where the muse erased them. */
export interface Profile {
  readonly name: string | null;
  readonly headline: string | null;
  readonly skills: readonly string[];
  readonly payout_address: string | null;
  readonly human_handle: string | null;
}

/** The payment that bound the wallet. `network` is the chain's short name. */
export interface Verification {
  readonly network: string;
  readonly verified_at: number;
  readonly tx: string;
}

interface Known extends Profile {
  readonly muse_id: string;
  readonly public_key: string | null;
  readonly referred_by: string | null;
  /** Unix ms at which a token ends, by the token's sha256. */
  readonly tokens: ReadonlyMap<string, number>;
  /** The wallet that is bound to the muse, null while it is not verified. */
  readonly wallet: string | null;
  readonly verification: Verification | null;
  /** Ids of claims that were taken away before they finished. */
  readonly claimsLost: readonly string[];
}

/** An identity, as its stream `muse-<id>` says. */
export type Muse =
  | { readonly status: 'unknown'; readonly claimsLost: readonly string[] }
  | (Known & { readonly status: 'registered' })
  | (Known & { readonly status: 'joined' });

type MuseEvent =
  | EventOf<typeof Registered>
  | EventOf<typeof Joined>
  | EventOf<typeof ProfileUpdated>
  | EventOf<typeof TokenIssued>
  | EventOf<typeof Verified>
  | EventOf<typeof ClaimLost>;

export const Muse: Entity<Muse> = {
  initial: { status: 'unknown', claimsLost: [] },
  evolve(state, raw: Event): Muse {
    const event = raw as MuseEvent;
    if (event.type === 'ClaimLost') return { ...state, claimsLost: [...state.claimsLost, event.data.claim] };
    if (event.type === 'Registered') return registered(state, event.data);
    if (state.status === 'unknown') return state;
    switch (event.type) {
      case 'Joined':
        return { ...state, status: 'joined' };
      case 'ProfileUpdated':
        return { ...state, ...changedProfile(event.data) };
      case 'TokenIssued':
        return { ...state, tokens: new Map([...state.tokens, [event.data.hash, event.data.expires_at]]) };
      case 'Verified': {
        const { wallet, network, tx } = event.data;
        return { ...state, wallet, verification: { network, tx, verified_at: event.at } };
      }
      default:
        event satisfies never;
        return state;
    }
  },
};

function registered(state: Muse, data: EventOf<typeof Registered>['data']): Muse {
  const { muse_id, name, headline, skills, payout_address, public_key, referred_by } = data;
  const profile = { name, headline, skills, payout_address, human_handle: null };
  const { claimsLost } = state;
  return {
    status: 'registered',
    muse_id,
    public_key,
    referred_by,
    ...profile,
    tokens: new Map(),
    wallet: null,
    verification: null,
    claimsLost,
  };
}

function changedProfile({
  name,
  headline,
  skills,
  payout_address,
  human_handle,
}: EventOf<typeof ProfileUpdated>['data']): Partial<Profile> {
  return {
    ...(name !== undefined && { name }),
    ...(headline !== undefined && { headline }),
    ...(skills !== undefined && { skills }),
    ...(payout_address !== undefined && { payout_address }),
    ...(human_handle !== undefined && { human_handle }),
  };
}

/** Where a wage goes: the wallet that verified, else the address the muse named; null where there is none. */
export function walletOf(muse: Muse): string | null {
  return muse.status === 'unknown' ? null : (muse.wallet ?? muse.payout_address);
}
