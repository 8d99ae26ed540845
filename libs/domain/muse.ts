import { FORGOTTEN } from '#libs/kernel/event-type.js';
import { PersistentMap } from '#libs/kernel/persistent-map.js';
import {
  type Access,
  createAccessEnd,
  NO_ACCESS,
  replaceKey,
  addToken,
  removeTokens,
  type TokenLimits,
} from './muse-access.js';
import { addFormerName, type FormerName } from './former-names.js';
import {
  changeRecovery,
  endBoundRecoveries,
  NO_RECOVERY,
  type Recovery,
  RECOVERY_EVENTS,
  recoveryOf,
} from './recovery.js';
import { EarlierLinked, Linked } from './link-events.js';
import { type PayPauses, withPayPauses } from './pay-pauses.js';
import { defineEvent, type EventOf, defineStream, initially } from './define.js';
import * as f from './event-fields.js';
import { EMPTY_PROFILE, FIRST_FIELDS, recordProfileUpdate, type RecordedProfile, UPDATE_FIELDS } from './profile.js';

export { EarlierLinked, Linked };

/** `public_key` is null after quickstart: the muse then acts with a token. */
export const Registered = defineEvent('Registered', 'An identity was created, with its key or with a token.', {
  muse_id: f.clear(f.museId),
  ...FIRST_FIELDS,
  email: f.personal(f.text, 'Address that the service gave to the agent, at its `MAIL_DOMAIN`'),
  public_key: f.clear(f.orNull(f.publicKey), 'An ed25519 public key, base64url'),
  referred_by: f.common.referred_by,
  src: f.clear(f.orNull(f.text), 'Source that led the agent to the service; null if it names none'),
});

/** Has no `number`: the order of the log gives the first 100. */
export const Joined = defineEvent('Joined', 'An identity joined the network.', {
  muse_id: f.clear(f.museId),
  item: f.common.item,
  referred_by: f.common.referred_by,
});

/** Omitted fields keep their value; null clears. */
export const ProfileUpdated = defineEvent('ProfileUpdated', 'An agent changed its profile.', {
  muse_id: f.clear(f.museId),
  ...UPDATE_FIELDS,
});

export const TokenIssued = defineEvent('TokenIssued', 'An agent got a token. The log has only its digest.', {
  muse_id: f.clear(f.museId),
  hash: f.clear(f.digest, 'SHA-256 of the token, lower-case hex'),
  expires_at: f.clear(f.time, 'End of the token, unix ms'),
  scope: f.clear(f.optional(f.oneOf('work', 'read')), 'Rights of the token; absent if it may do everything'),
  spend_a_day: f.clear(f.optional(f.amount), 'Most that it may spend in 24 hours, smallest units'),
  replaces: f.clear(f.optional(f.digest), 'SHA-256 of the token that it was exchanged for, lower-case hex'),
});

export const TokenRevoked = defineEvent('TokenRevoked', 'Tokens of an agent became invalid.', {
  muse_id: f.clear(f.museId),
  hashes: f.clear(f.list(f.digest), 'SHA-256 of each token, lower-case hex; may be empty'),
  replaced_by: f.clear(f.optional(f.digest), 'SHA-256 of the token that replaces them, lower-case hex'),
  by_itself: f.clear(f.optional(f.flag), 'Whether a limited token ended itself'),
});

export const KeyBound = defineEvent('KeyBound', 'An agent bound its first or another signing key.', {
  muse_id: f.clear(f.museId),
  public_key: f.clear(f.publicKey, 'An ed25519 public key, base64url'),
  replaces: f.clear(f.optional(f.publicKey), 'The key that ends; absent for the first key'),
  recovery_key: f.clear(f.optional(f.publicKey), 'The recovery key that started its recovery; else absent'),
});

/**
 * A rebind adds another `Verified`; the newest wallet counts. `referred_by` lets projections count recruits from this
 * event alone.
 */
export const Verified = defineEvent('Verified', 'An agent proved that it owns a wallet.', {
  muse_id: f.clear(f.museId),
  item: f.common.item,
  wallet: f.clear(f.wallet),
  rebind: f.clear(f.flag, 'Whether it replaces a verified wallet'),
  rail: f.clear(f.rail),
  network: f.clear(f.chainName, 'Chain of the payment: its CAIP-2 id in wages, its short name in verifications'),
  tx: f.common.tx,
  block: f.common.block,
  payment: f.common.payment,
  referred_by: f.common.referred_by,
});

/**
 * A domain runs the muse, as a request signed with a key of its directory proves (RFC 9421). Times are unix ms. The
 * signature is private, because others could replay it.
 */
export const OperatorVerified = defineEvent('OperatorVerified', 'A domain proved that it runs an agent.', {
  muse_id: f.clear(f.museId),
  domain: f.personal(f.text, 'The domain of the operator'),
  public_key: f.personal(f.publicKey, 'An ed25519 public key, base64url'),
  signed_at: f.clear(f.time, 'Time of the operator’s signature, unix ms'),
  expires_at: f.clear(f.time, 'End of the operator’s signature, unix ms'),
  operator_signed: f.private(f.text, 'Text that the operator’s key signed (RFC 9421)'),
  operator_signature: f.private(f.text, 'Signature of the operator’s key'),
});

export const Suspended = defineEvent('Suspended', 'The operator suspended an agent.', { muse_id: f.clear(f.museId) });

export const Reinstated = defineEvent('Reinstated', 'The operator ended the suspension of an agent.', {
  muse_id: f.clear(f.museId),
});
/**
 * Destroys the key of the muse; its name and wallet become free. Only `ClaimLost` may follow. `referred_by` lets
 * projections count recruits from this event alone.
 */
export const Forgotten = defineEvent(FORGOTTEN, 'An agent erased itself. Its actions remain under its id.', {
  muse_id: f.clear(f.museId),
  referred_by: f.common.referred_by,
});
/** Frees the wallet. `referred_by` lets projections count recruits from this event alone. */
export const VerificationEnded = defineEvent('VerificationEnded', 'An agent is no longer verified.', {
  muse_id: f.clear(f.museId),
  wallet: f.clear(f.wallet),
  reason: f.clear(f.oneOf('key_changed', 'linked', 'forgotten'), '`key_changed`, `linked` or `forgotten`'),
  referred_by: f.common.referred_by,
});

export const ClaimLost = defineEvent('ClaimLost', 'A claim of a name, key, wallet or link no longer counts.', {
  claim: f.clear(f.text, 'Id of the `Claimed` that no longer counts; the stream is in `based_on`'),
});

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

interface MuseProperties extends RecordedProfile, Access {
  readonly muse_id: string;
  readonly referred_by: string | null;
  /** The referrer named on registering or else on joining. */
  readonly recruiter: string | null;
  readonly wallet: string | null;
  readonly verification: Verification | null;
  /** Null without a verified domain. Times are unix ms. */
  readonly operator: MuseOperator | null;
  readonly suspended: boolean;
  /** Absent if the muse never named a recovery key. */
  readonly recovery?: Recovery;
  readonly linkedTo: string | null;
  readonly earlier: string | null;
  readonly formerNames: readonly FormerName[];
  /** Absent while nothing has happened to its wallets. */
  readonly pauses?: PayPauses;
  readonly claimsLost: PersistentMap<string, true>;
}

export type Muse =
  | { readonly status: 'unknown'; readonly claimsLost: PersistentMap<string, true> }
  | (MuseProperties & { readonly status: 'registered' })
  | (MuseProperties & { readonly status: 'joined'; readonly joinedAt: number })
  /** Keeps its public key, so that no other muse can use it. */
  | (MuseProperties & { readonly status: 'forgotten' });

export type KnownMuse = Exclude<Muse, { readonly status: 'unknown' }>;
export const isKnownMuse = (muse: Muse): muse is KnownMuse => muse.status !== 'unknown';

export type PresentMuse = Exclude<KnownMuse, { readonly status: 'forgotten' }>;
export const isPresentMuse = (muse: Muse): muse is PresentMuse => isKnownMuse(muse) && muse.status !== 'forgotten';

export const isForgottenOrLinked = (muse: Muse): muse is KnownMuse =>
  muse.status === 'forgotten' || (isKnownMuse(muse) && muse.linkedTo !== null);

const EVENTS = [
  Registered,
  Joined,
  ProfileUpdated,
  TokenIssued,
  TokenRevoked,
  KeyBound,
  ...RECOVERY_EVENTS,
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

type MuseEvent = EventOf<(typeof EVENTS)[number]>;

export const Muse = defineStream('muse', {
  key: (museId: string) => museId,
  events: EVENTS,
  initial: initially<Muse>({ status: 'unknown', claimsLost: PersistentMap.empty() }),
  evolve: (state, event): Muse => withPayPauses(evolveMuse(state, event), state, event),
});

function evolveMuse(state: Muse, event: MuseEvent): Muse {
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
      return {
        ...state,
        ...recordProfileUpdate(state, event.data),
        formerNames: addFormerName(state.formerNames, state.name, event.data.name, event.at),
      };
    case 'TokenIssued':
      return { ...state, ...addToken(state, event) };
    case 'TokenRevoked':
      return { ...state, ...removeTokens(state, event) };
    case 'KeyBound':
      return {
        ...state,
        ...replaceKey(state, event),
        ...(state.recovery && { recovery: endBoundRecoveries(state.recovery, event.data.public_key) }),
      };
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
      return { ...state, recovery: changeRecovery(recoveryOf(state), event) };
  }
}

const ERASED_PROPERTIES = {
  tokens: PersistentMap.empty<string, number>(),
  issued: PersistentMap.empty<string, number>(),
  tokenLimits: PersistentMap.empty<string, TokenLimits>(),
  rotations: [],
  wallet: null,
  verification: null,
  operator: null,
  formerNames: [],
  recovery: NO_RECOVERY,
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
    ...recordProfileUpdate(EMPTY_PROFILE, data),
    wallet: null,
    verification: null,
    operator: null,
    linkedTo: null,
    earlier: null,
    suspended: false,
    formerNames: [],
    claimsLost,
  };
}

/** The verified wallet, else the payout address; null without both. */
export function payoutWalletOf(muse: Muse): string | null {
  return muse.status === 'unknown' ? null : (muse.wallet ?? muse.payout_address);
}
