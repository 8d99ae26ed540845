import { PersistentMap } from '#libs/kernel/persistent-map.js';
import { event, type EventOf, stream } from './define.js';
import * as f from './fields.js';
import { changed, EMPTY_PROFILE, FIRST_FIELDS, type Profile, UPDATE_FIELDS } from './profile.js';

/** An identity exists. `public_key` is null for one made by quickstart, which acts with a token. */
export const Registered = event('Registered', {
  muse_id: f.clear(f.museId),
  ...FIRST_FIELDS,
  email: f.personal(f.text),
  public_key: f.clear(f.orNull(f.publicKey)),
  referred_by: f.clear(f.orNull(f.museId)),
  src: f.clear(f.orNull(f.text)),
});

/** The muse takes part from now on. `number` is not here: who the first 100 were follows from the log's order. */
export const Joined = event('Joined', {
  muse_id: f.clear(f.museId),
  item: f.clear(f.item),
  referred_by: f.clear(f.orNull(f.museId)),
});

/** Fields that were left out keep their value; null clears. */
export const ProfileUpdated = event('ProfileUpdated', { muse_id: f.clear(f.museId), ...UPDATE_FIELDS });

/** A bearer token is valid until `expires_at`. Of the token itself the log knows its sha256 alone. */
export const TokenIssued = event('TokenIssued', {
  muse_id: f.clear(f.museId),
  hash: f.clear(f.hash),
  expires_at: f.clear(f.time),
});

/** Tokens that are valid no longer, by their sha256. */
export const TokenRevoked = event('TokenRevoked', {
  muse_id: f.clear(f.museId),
  hashes: f.clear(f.list(f.hash)),
});

/** The muse signs with this key from now on, and with the one before no longer. Its tokens end by events of their own. */
export const KeyBound = event('KeyBound', { muse_id: f.clear(f.museId), public_key: f.clear(f.publicKey) });

/**
 * A wallet is bound to the muse, which has paid for it. It also binds another wallet later (a rebind): the newest one
 * counts. `referred_by` stands here so that a recruiter's counters follow from this event alone.
 */
export const Verified = event('Verified', {
  muse_id: f.clear(f.museId),
  item: f.clear(f.item),
  wallet: f.clear(f.address),
  /** Whether another wallet was bound before. */
  rebind: f.clear(f.flag),
  rail: f.clear(f.rail),
  network: f.clear(f.chainName),
  tx: f.clear(f.transaction),
  block: f.clear(f.integer),
  payment: f.clear(f.text),
  referred_by: f.clear(f.orNull(f.museId)),
});

/** The owner of a claim learns that it was taken from it before it finished. */
export const ClaimLost = event('ClaimLost', { claim: f.clear(f.text) });

const EVENTS = [Registered, Joined, ProfileUpdated, TokenIssued, TokenRevoked, KeyBound, Verified, ClaimLost] as const;

/** The payment that bound the wallet. `network` is the chain's short name. */
export interface Verification {
  readonly network: f.ChainName;
  readonly verified_at: number;
  readonly tx: string;
}

interface Known extends Profile {
  readonly muse_id: string;
  readonly public_key: string | null;
  readonly referred_by: string | null;
  /** Unix ms at which a token ends, by the token's sha256. */
  readonly tokens: PersistentMap<string, number>;
  /** The wallet that is bound to the muse, null while it is not verified. */
  readonly wallet: string | null;
  readonly verification: Verification | null;
  /** Ids of claims that were taken away before they finished. */
  readonly claimsLost: PersistentMap<string, true>;
}

/** An identity, as its stream `muse-<id>` says. */
export type Muse =
  | { readonly status: 'unknown'; readonly claimsLost: PersistentMap<string, true> }
  | (Known & { readonly status: 'registered' })
  | (Known & { readonly status: 'joined' });

export type KnownMuse = Exclude<Muse, { readonly status: 'unknown' }>;
export const isKnown = (muse: Muse): muse is KnownMuse => muse.status !== 'unknown';

type MuseEvent = EventOf<(typeof EVENTS)[number]>;

const UNKNOWN: Muse = { status: 'unknown', claimsLost: PersistentMap.empty() };

export const Muse = stream('muse', {
  key: (museId: string) => museId,
  events: EVENTS,
  initial: UNKNOWN,
  evolve(state: Muse, event: MuseEvent): Muse {
    if (event.type === 'ClaimLost') return { ...state, claimsLost: state.claimsLost.with(event.data.claim, true) };
    if (event.type === 'Registered') return registered(state, event.data);
    if (state.status === 'unknown') return state;
    switch (event.type) {
      case 'Joined':
        return { ...state, status: 'joined' };
      case 'ProfileUpdated':
        return { ...state, ...changed(state, event.data) };
      case 'TokenIssued':
        return { ...state, tokens: state.tokens.with(event.data.hash, event.data.expires_at) };
      case 'TokenRevoked':
        return { ...state, tokens: event.data.hashes.reduce((tokens, hash) => tokens.without(hash), state.tokens) };
      case 'KeyBound':
        return { ...state, public_key: event.data.public_key };
      case 'Verified': {
        const { wallet, network, tx } = event.data;
        return { ...state, wallet, verification: { network, tx, verified_at: event.at } };
      }
      default:
        event satisfies never;
        return state;
    }
  },
});

function registered({ claimsLost }: Muse, data: EventOf<typeof Registered>['data']): Muse {
  const { muse_id, public_key, referred_by } = data;
  return {
    status: 'registered',
    muse_id,
    public_key,
    referred_by,
    ...changed(EMPTY_PROFILE, data),
    tokens: PersistentMap.empty(),
    wallet: null,
    verification: null,
    claimsLost,
  };
}

/** Where a wage goes: the wallet that verified, else the address the muse named; null where there is none. */
export function walletOf(muse: Muse): string | null {
  return muse.status === 'unknown' ? null : (muse.wallet ?? muse.payout_address);
}
