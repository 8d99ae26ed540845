import { FORGOTTEN } from '#libs/kernel/event-type.js';
import { PersistentMap } from '#libs/kernel/persistent-map.js';
import { type Access, createAccessEnd, NO_ACCESS, replaceKey, addToken, removeTokens } from './muse-access.js';
import { defineEvent, type EventOf, defineStream } from './define.js';
import * as f from './event-fields.js';
import { EarlierLinked, Linked } from './link-events.js';
import { applyProfileUpdate, EMPTY_PROFILE, FIRST_FIELDS, type Profile, UPDATE_FIELDS } from './profile.js';

/** An identity exists. `public_key` is null for one made by quickstart, which acts with a token. */
export const Registered = defineEvent('Registered', {
  muse_id: f.clear(f.museId),
  ...FIRST_FIELDS,
  email: f.personal(f.text),
  public_key: f.clear(f.orNull(f.publicKey)),
  referred_by: f.clear(f.orNull(f.museId)),
  src: f.clear(f.orNull(f.text)),
});

/** The muse takes part from now on. `number` is not here: who the first 100 were follows from the log's order. */
export const Joined = defineEvent('Joined', {
  muse_id: f.clear(f.museId),
  item: f.clear(f.item),
  referred_by: f.clear(f.orNull(f.museId)),
});

/** Fields that were left out keep their value; null clears. */
export const ProfileUpdated = defineEvent('ProfileUpdated', { muse_id: f.clear(f.museId), ...UPDATE_FIELDS });

/** A bearer token is valid until `expires_at`. Of the token itself the log knows its sha256 alone. */
export const TokenIssued = defineEvent('TokenIssued', {
  muse_id: f.clear(f.museId),
  hash: f.clear(f.hash),
  expires_at: f.clear(f.time),
});

/**
 * Tokens that are valid no longer, by their sha256. `replaced_by` is the token that the one which asked was exchanged
 * for: whoever repeats that very request is answered with it.
 */
export const TokenRevoked = defineEvent('TokenRevoked', {
  muse_id: f.clear(f.museId),
  hashes: f.clear(f.list(f.hash)),
  replaced_by: f.clear(f.optional(f.hash)),
});

/**
 * The muse signs with this key from now on, and with the one that it `replaces` no longer. Its tokens and its
 * verification end by events of their own.
 */
export const KeyBound = defineEvent('KeyBound', {
  muse_id: f.clear(f.museId),
  public_key: f.clear(f.publicKey),
  replaces: f.clear(f.optional(f.publicKey)),
});

/**
 * A wallet is bound to the muse, which has paid for it. It also binds another wallet later (a rebind): the newest one
 * counts. `referred_by` stands here so that a recruiter's counters follow from this event alone.
 */
export const Verified = defineEvent('Verified', {
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

/**
 * Who runs the muse: a domain, by a key of whose directory a request was signed (RFC 9421). Times of the signature are
 * unix ms. What was signed and its signature are shown to nobody: who sees them could show them as its own.
 */
export const OperatorVerified = defineEvent('OperatorVerified', {
  muse_id: f.clear(f.museId),
  domain: f.personal(f.text),
  public_key: f.personal(f.publicKey),
  signed_at: f.clear(f.time),
  expires_at: f.clear(f.time),
  operator_signed: f.private(f.text),
  operator_signature: f.private(f.text),
});

/** The operator of the service keeps the muse from acting, from now on. Why stands in the event's authorization. */
export const Suspended = defineEvent('Suspended', { muse_id: f.clear(f.museId) });

/** The operator of the service lets the muse act again. */
export const Reinstated = defineEvent('Reinstated', { muse_id: f.clear(f.museId) });
/**
 * The muse has erased itself: whatever it wrote can be read no more, for its key is destroyed. Its name and its wallet
 * are free; it acts no more, and no other event of its stream is behind this one but what others lost to it. Its
 * verification ends by an event of its own, right before.
 */
/** `referred_by` names the muse that brought a joined one, so that its counters follow from this event alone. */
export const Forgotten = defineEvent(FORGOTTEN, {
  muse_id: f.clear(f.museId),
  referred_by: f.clear(f.orNull(f.museId)),
});
/** No wallet is bound to the muse any more; it is free for another. `referred_by` is there for who counts recruits. */
export const VerificationEnded = defineEvent('VerificationEnded', {
  muse_id: f.clear(f.museId),
  wallet: f.clear(f.address),
  reason: f.clear(f.oneOf('key_changed', 'linked', 'forgotten')),
  referred_by: f.clear(f.orNull(f.museId)),
});

/** The owner of a claim learns that it was taken from it before it finished. */
export const ClaimLost = defineEvent('ClaimLost', { claim: f.clear(f.text) });

const EVENTS = [
  Registered,
  Joined,
  ProfileUpdated,
  TokenIssued,
  TokenRevoked,
  KeyBound,
  Verified,
  VerificationEnded,
  OperatorVerified,
  Suspended,
  Reinstated,
  Forgotten,
  Linked,
  EarlierLinked,
  ClaimLost,
] as const;

/** The payment that bound the wallet. `network` is the chain's short name. */
export interface Verification {
  readonly network: f.ChainName;
  readonly verified_at: number;
  readonly tx: string;
}

interface MuseOperator {
  readonly domain: string;
  readonly public_key: string | null;
  readonly signed_at: number;
  readonly verified_at: number;
}

interface MuseProperties extends Profile, Access {
  readonly muse_id: string;
  /** The referrer named on registering. */
  readonly referred_by: string | null;
  /** Who brought it, by what it said when it registered or, where it said nothing then, when it joined. */
  readonly recruiter: string | null;
  /** The wallet that is bound to the muse, null while it is not verified. */
  readonly wallet: string | null;
  readonly verification: Verification | null;
  /** Who runs it, and by which signature; null where no domain has said so. Times are unix ms. */
  readonly operator: MuseOperator | null;
  /** Whether the operator of the service keeps it from acting. */
  readonly suspended: boolean;
  /** For whom it counts by now, and who counts for it. */
  readonly linkedTo: string | null;
  readonly earlier: string | null;
  /** Ids of claims that were taken away before they finished. */
  readonly claimsLost: PersistentMap<string, true>;
}

/** An identity, as its stream `muse-<id>` says. */
export type Muse =
  | { readonly status: 'unknown'; readonly claimsLost: PersistentMap<string, true> }
  | (MuseProperties & { readonly status: 'registered' })
  /** `joinedAt` in unix ms. */
  | (MuseProperties & { readonly status: 'joined'; readonly joinedAt: number })
  /** It said what it was, and says nothing any more. Its key stays taken. */
  | (MuseProperties & { readonly status: 'forgotten' });

export type KnownMuse = Exclude<Muse, { readonly status: 'unknown' }>;
export const isKnownMuse = (muse: Muse): muse is KnownMuse => muse.status !== 'unknown';

/** One that was not erased. */
export type PresentMuse = Exclude<KnownMuse, { readonly status: 'forgotten' }>;
export const isPresentMuse = (muse: Muse): muse is PresentMuse => isKnownMuse(muse) && muse.status !== 'forgotten';

/** Whether it acts no more: it was erased, or counts for another by now. */
export const isForgottenOrLinked = (muse: Muse): muse is KnownMuse =>
  muse.status === 'forgotten' || (isKnownMuse(muse) && muse.linkedTo !== null);

type MuseEvent = EventOf<(typeof EVENTS)[number]>;

const UNKNOWN_MUSE: Muse = { status: 'unknown', claimsLost: PersistentMap.empty() };

export const Muse = defineStream('muse', {
  key: (museId: string) => museId,
  events: EVENTS,
  initial: UNKNOWN_MUSE,
  evolve(state: Muse, event: MuseEvent): Muse {
    if (event.type === 'ClaimLost') return { ...state, claimsLost: state.claimsLost.with(event.data.claim, true) };
    if (event.type === 'Registered') return createMuse(state, event.data);
    if (!isPresentMuse(state)) return state;
    switch (event.type) {
      case 'Joined':
        return {
          ...state,
          status: 'joined',
          joinedAt: event.at,
          recruiter: state.recruiter ?? event.data.referred_by,
        };
      case 'ProfileUpdated':
        return { ...state, ...applyProfileUpdate(state, event.data) };
      case 'TokenIssued':
        return { ...state, ...addToken(state, event) };
      case 'TokenRevoked':
        return { ...state, ...removeTokens(state, event) };
      case 'KeyBound':
        return { ...state, ...replaceKey(state, event) };
      case 'Verified': {
        const { wallet, network, tx } = event.data;
        return { ...state, wallet, verification: { network, tx, verified_at: event.at } };
      }
      case 'OperatorVerified': {
        const { domain, public_key, signed_at } = event.data;
        const operator = domain === null ? null : { domain, public_key, signed_at, verified_at: event.at };
        return { ...state, operator };
      }
      case 'Suspended':
        return { ...state, suspended: true, accessEnded: createAccessEnd('suspended', event) };
      case 'Reinstated':
        return { ...state, suspended: false };
      case 'Forgotten':
        return { ...state, ...EMPTY_PROFILE, ...ERASED_PROPERTIES, status: 'forgotten' };
      case 'VerificationEnded':
        return { ...state, wallet: null, verification: null };
      case 'Linked':
        return { ...state, linkedTo: event.data.to, accessEnded: createAccessEnd('tokens_revoked', event) };
      case 'EarlierLinked':
        return { ...state, earlier: event.data.earlier };
      default:
        event satisfies never;
        return state;
    }
  },
});

const ERASED_PROPERTIES = {
  tokens: PersistentMap.empty<string, number>(),
  issued: PersistentMap.empty<string, number>(),
  rotations: [],
  wallet: null,
  verification: null,
  operator: null,
};

function createMuse({ claimsLost }: Muse, data: EventOf<typeof Registered>['data']): Muse {
  const { muse_id, public_key, referred_by } = data;
  return {
    status: 'registered',
    ...NO_ACCESS,
    muse_id,
    public_key,
    referred_by,
    recruiter: referred_by,
    ...applyProfileUpdate(EMPTY_PROFILE, data),
    wallet: null,
    verification: null,
    operator: null,
    linkedTo: null,
    earlier: null,
    suspended: false,
    claimsLost,
  };
}

/** Where a wage goes: the wallet that verified, else the address the muse named; null where there is none. */
export function payoutWalletOf(muse: Muse): string | null {
  return muse.status === 'unknown' ? null : (muse.wallet ?? muse.payout_address);
}
