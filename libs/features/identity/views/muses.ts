import {
  EarlierLinked,
  Forgotten,
  Joined,
  KeyBound,
  Linked,
  OperatorVerified,
  ProfileUpdated,
  Registered,
  Reinstated,
  Suspended,
  VerificationEnded,
  Verified,
} from '#libs/domain/muse.js';
import { applyProfileUpdate, EMPTY_PROFILE, pickVisible, pickVisibleSchemas } from '#libs/domain/profile.js';
import { addFormerName, type FormerName } from '#libs/domain/former-names.js';
import { isSiblingId } from '#libs/kernel/ids.js';
import { foldName } from '#libs/kernel/name-rules.js';
import * as d from '#libs/views/document-schema.js';
import { by, onExisting, on, defineProjection } from '#libs/views/projection.js';

const PUBLIC = ['summary', 'profile'] as const;

export const MuseDocument = d.object({
  muse_id: d.museId,
  forgotten: d.flag,
  /** The muse that this identity is linked to, and the earlier identity linked to it. */
  linked_to: d.orNull(d.museId),
  earlier: d.orNull(d.museId),
  ...pickVisibleSchemas(...PUBLIC),
  email: d.orNull(d.text),
  has_payout_address: d.flag,
  public_key: d.orNull(d.publicKey),
  /** Normalized for comparison. */
  folded_name: d.orNull(d.text),
  /** Names before the last renames, folded, and the times until which they are reserved. */
  former_names: d.list(d.text),
  reserved_until: d.list(d.time),
  verification: d.orNull(d.object({ wallet: d.wallet, network: d.chainName, verified_at: d.time, tx: d.transaction })),
  operator: d.orNull(d.object({ domain: d.text, verified_at: d.time })),
  joined: d.flag,
  suspended: d.flag,
  joined_at: d.orNull(d.time),
  hires: d.integer,
  /** Number of active projects that the muse founded. */
  founded: d.integer,
  connections: d.integer,
  endorsements: d.object({ count: d.integer, cited: d.integer }),
  last_delivered_at: d.orNull(d.time),
  last_active_at: d.time,
  referred_by: d.orNull(d.museId),
  /** Referred muses that joined, and those that verified a wallet. */
  recruits: d.object({ brought: d.integer, verified: d.integer }),
  /** Newest acceptance of each hire. */
  reviews: d.orNull(d.object({ count: d.integer, positive: d.integer })),
  /** Wages in smallest units, by token. */
  earned: d.mapOf(d.object({ count: d.integer, amount: d.amount })),
});
export type MuseDocument = d.DocumentOf<typeof MuseDocument>;

const byMuse = by('muse_id');
type ReferralEvent = { readonly data: { readonly muse_id: string; readonly referred_by: string | null } };
const withReferrer = ({ data: { muse_id, referred_by } }: ReferralEvent) =>
  referred_by === null || referred_by === muse_id ? [muse_id] : [muse_id, referred_by];
const withRecruit = (muse: MuseDocument, kind: keyof MuseDocument['recruits'], delta = 1) => ({
  ...muse,
  recruits: { ...muse.recruits, [kind]: muse.recruits[kind] + delta },
});

/** Values of a forgotten identity, in addition to its emptied texts. */
const ERASED = {
  forgotten: true,
  email: null,
  public_key: null,
  folded_name: null,
  former_names: [],
  reserved_until: [],
  has_payout_address: false,
  referred_by: null,
  verification: null,
  operator: null,
};

export const formerNamesOf = ({ former_names, reserved_until }: MuseDocument): FormerName[] =>
  former_names.map((name, n) => ({ name, reserved_until: reserved_until[n]! }));

/** Names of sibling identities are not reserved, since their own network gives them. */
function withFormerName(muse: MuseDocument, name: string | null, at: number) {
  if (isSiblingId(muse.muse_id)) return {};
  const former = addFormerName(formerNamesOf(muse), muse.folded_name, name, at);
  return {
    former_names: former.map(each => each.name),
    reserved_until: former.map(each => each.reserved_until),
  };
}

/** Identity, texts, flags and counters of a muse. Later features add the steps that count. */
export const Muses = defineProjection('muses', MuseDocument, {
  shape: '27ba2118',
  indexes: {
    byName: ['folded_name', 'muse_id'],
    byFormerName: ['former_names[]', 'muse_id'],
    byReferrer: ['referred_by?', 'joined', 'joined_at'],
  },
  steps: [
    on(Registered, byMuse, (_document, { data, at }) => {
      const { muse_id, name, email, public_key, referred_by, payout_address } = data;
      return {
        muse_id,
        forgotten: false,
        linked_to: null,
        earlier: null,
        ...applyProfileUpdate(pickVisible(EMPTY_PROFILE, ...PUBLIC), data),
        email,
        public_key,
        referred_by,
        recruits: { brought: 0, verified: 0 },
        has_payout_address: (payout_address ?? null) !== null,
        folded_name: name === null ? null : foldName(name),
        former_names: [],
        reserved_until: [],
        verification: null,
        operator: null,
        joined: false,
        suspended: false,
        joined_at: null,
        hires: 0,
        founded: 0,
        connections: 0,
        endorsements: { count: 0, cited: 0 },
        last_delivered_at: null,
        last_active_at: at,
        reviews: null,
        earned: {},
      };
    }),
    onExisting(Joined, withReferrer, (muse, { data, at }, id) => {
      if (id !== data.muse_id) return withRecruit(muse, 'brought');
      const referred_by = muse.referred_by ?? data.referred_by;
      return { ...muse, joined: true, joined_at: at, last_active_at: at, referred_by };
    }),
    onExisting(ProfileUpdated, byMuse, (muse, { data, at }) => {
      const { payout_address, name } = data;
      const has_payout_address = payout_address === undefined ? muse.has_payout_address : payout_address !== null;
      const folded_name = name == null ? muse.folded_name : foldName(name);
      return {
        ...muse,
        ...applyProfileUpdate(pickVisible(muse, ...PUBLIC), data),
        folded_name,
        ...withFormerName(muse, folded_name, at),
        has_payout_address,
        last_active_at: at,
      };
    }),
    onExisting(KeyBound, byMuse, (muse, { data }) => ({ ...muse, public_key: data.public_key })),
    onExisting(
      Verified,
      event => (event.data.rebind ? [event.data.muse_id] : withReferrer(event)),
      (muse, { data, at }, id) => {
        if (id !== data.muse_id) return withRecruit(muse, 'verified');
        const { wallet, network, tx } = data;
        return { ...muse, verification: { wallet, network, verified_at: at, tx }, last_active_at: at };
      },
    ),
    onExisting(OperatorVerified, byMuse, (muse, { data: { domain }, at }) => ({
      ...muse,
      operator: domain === null ? null : { domain, verified_at: at },
      last_active_at: at,
    })),
    onExisting(Suspended, byMuse, muse => ({ ...muse, suspended: true })),
    onExisting(Reinstated, byMuse, muse => ({ ...muse, suspended: false })),
    onExisting(Linked, byMuse, (muse, { data }) => ({ ...muse, linked_to: data.to })),
    onExisting(EarlierLinked, byMuse, (muse, { data }) => ({ ...muse, earlier: data.earlier })),
    onExisting(Forgotten, withReferrer, (muse, { data }, id) =>
      id === data.muse_id
        ? { ...muse, ...pickVisible(EMPTY_PROFILE, ...PUBLIC), ...ERASED }
        : withRecruit(muse, 'brought', -1),
    ),
    onExisting(VerificationEnded, withReferrer, (muse, { data }, id) =>
      id === data.muse_id ? { ...muse, verification: null } : withRecruit(muse, 'verified', -1),
    ),
  ],
});
