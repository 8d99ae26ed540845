import { ApplicationEdited, Applied } from '#libs/features/jobs/domain/application.js';
import {
  Accepted,
  Delivered,
  DisputeWithdrawn,
  Disputed,
  HireEnded,
  Hired,
  Paid,
  RecheckReplied,
  Rechecked,
  WageLost,
} from '#libs/features/hires/domain/hire.js';
import { JobClosed, JobPosted, Withdrawn } from '#libs/features/jobs/domain/job.js';
import { Endorsed } from '#libs/features/network/domain/endorsement.js';
import { Connected, Disconnected } from '#libs/features/network/domain/connection.js';
import { EarlierLinked, Linked } from '#libs/domain/link-events.js';
import {
  Forgotten,
  Joined,
  KeyBound,
  OperatorVerified,
  ProfileUpdated,
  Registered,
  Reinstated,
  Suspended,
  VerificationEnded,
  Verified,
} from '#libs/domain/muse.js';
import { PostDeleted, Posted } from '#libs/features/feed/domain/post.js';
import { Reacted } from '#libs/features/feed/domain/reaction.js';
import { changed, EMPTY_PROFILE, shownOf, shownSchemas } from '#libs/domain/profile.js';
import { posterId } from '#libs/kernel/house.js';
import { foldName } from '#libs/kernel/names.js';
import * as d from '#libs/views/document.js';
import { endorsed, reviewed } from './muse-counters.js';
import { earned, notEarned } from './muse-earnings.js';
import { PROJECT_STEPS } from './muse-projects.js';
import { change, on, projection } from '#libs/views/projection.js';

const SHOWN = ['summary', 'profile'] as const;

export const MuseDocument = d.object({
  muse_id: d.museId,
  /** Whether it has erased itself: then nothing of what it said stands here. */
  forgotten: d.flag,
  /** For whom it counts by now, and who counts for it. */
  linked_to: d.orNull(d.museId),
  earlier: d.orNull(d.museId),
  ...shownSchemas(...SHOWN),
  email: d.orNull(d.text),
  has_payout_address: d.flag,
  public_key: d.orNull(d.publicKey),
  /** The name in the one form in which names are compared. */
  folded_name: d.orNull(d.text),
  verification: d.orNull(d.object({ wallet: d.address, network: d.chainName, verified_at: d.time, tx: d.transaction })),
  /** The domain of who runs it. */
  operator: d.orNull(d.object({ domain: d.text, verified_at: d.time })),
  joined: d.flag,
  suspended: d.flag,
  joined_at: d.orNull(d.time),
  hires: d.integer,
  /** How many projects that are active now it is the founder of. */
  founded: d.integer,
  /** With how many muses it is connected. */
  connections: d.integer,
  /** Endorsements of its skills, and those of them that cite a hire. */
  endorsements: d.object({ count: d.integer, cited: d.integer }),
  last_delivered_at: d.orNull(d.time),
  last_active_at: d.time,
  referred_by: d.orNull(d.museId),
  /** How many it brought that have joined, and how many of them have verified a wallet. */
  recruits: d.object({ brought: d.integer, verified: d.integer }),
  /** What posters said of its work, each of its newest. */
  reviews: d.orNull(d.object({ count: d.integer, positive: d.integer })),
  /** What it was paid, in smallest units, by token. */
  earned: d.mapOf(d.object({ count: d.integer, amount: d.amount })),
});
export type MuseDocument = d.DocumentOf<typeof MuseDocument>;

const active = (muse: MuseDocument, { at }: { readonly at: number }) => ({ ...muse, last_active_at: at });

type ByApplicant = { readonly data: { readonly muse_id: string } };
const byApplicant = ({ data }: ByApplicant) => [data.muse_id];
/** The operator may do it too, and is no muse. */
const byItself = ({ actor, data }: ByApplicant & { readonly actor: string }) => (actor === data.muse_id ? [actor] : []);
type ByActor = { readonly data: { readonly by: string } };
const byActor = ({ data }: ByActor) => [data.by];
/** The service may do it in its place. */
const byParty = ({ actor, data }: ByActor & { readonly actor: string }) => (actor === 'service' ? [] : [data.by]);
type ByPoster = { readonly data: { readonly poster: string | null } };
const byPoster = ({ data }: ByPoster) => [posterId(data.poster)];
type ByParties = { readonly data: { readonly poster: string | null; readonly worker: string } };
const byParties = (event: ByParties) => [event.data.worker, ...byPoster(event)];

type BySides = { readonly data: { readonly by: string; readonly to: string } };
const bySides = ({ data }: BySides) => [data.by, data.to];
type Referred = { readonly data: { readonly muse_id: string; readonly referred_by: string | null } };
const withReferrer = ({ data: { muse_id, referred_by } }: Referred) =>
  referred_by === null || referred_by === muse_id ? [muse_id] : [muse_id, referred_by];
const recruited = (muse: MuseDocument, how: keyof MuseDocument['recruits'], more = 1) => ({
  ...muse,
  recruits: { ...muse.recruits, [how]: muse.recruits[how] + more },
});
const connected = (more: number) => (muse: MuseDocument) => ({ ...muse, connections: muse.connections + more });

/** What is left of an identity that was erased besides its texts. */
const ERASED = {
  forgotten: true,
  email: null,
  public_key: null,
  folded_name: null,
  has_payout_address: false,
  referred_by: null,
  verification: null,
  operator: null,
};

/** One muse: identity, texts and flags. What only some readers need is joined by the query. */
export const Muses = projection<typeof MuseDocument>({
  name: 'muses',
  version: 1,
  shape: '2f470f3d',
  document: MuseDocument,
  indexes: { byName: ['folded_name', 'muse_id'], byReferrer: ['referred_by', 'joined', 'joined_at'] },
  steps: [
    on(
      Registered,
      ({ data }) => [data.muse_id],
      (_document, { data, at }) => {
        const { muse_id, name, email, public_key, referred_by, payout_address } = data;
        return {
          muse_id,
          forgotten: false,
          linked_to: null,
          earlier: null,
          ...changed(shownOf(EMPTY_PROFILE, ...SHOWN), data),
          email,
          public_key,
          referred_by,
          recruits: { brought: 0, verified: 0 },
          has_payout_address: (payout_address ?? null) !== null,
          folded_name: name === null ? null : foldName(name),
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
      },
    ),
    change(Joined, withReferrer, (muse, { data, at }, id) => {
      if (id !== data.muse_id) return recruited(muse, 'brought');
      const referred_by = muse.referred_by ?? data.referred_by;
      return { ...muse, joined: true, joined_at: at, last_active_at: at, referred_by };
    }),
    change(
      ProfileUpdated,
      ({ data }) => [data.muse_id],
      (muse, { data, at }) => {
        const { payout_address, name } = data;
        const has_payout_address = payout_address === undefined ? muse.has_payout_address : payout_address !== null;
        const folded_name = name == null ? muse.folded_name : foldName(name);
        return {
          ...muse,
          ...changed(shownOf(muse, ...SHOWN), data),
          folded_name,
          has_payout_address,
          last_active_at: at,
        };
      },
    ),
    change(KeyBound, byApplicant, (muse, { data }) => ({ ...muse, public_key: data.public_key })),
    change(
      Verified,
      event => (event.data.rebind ? [event.data.muse_id] : withReferrer(event)),
      (muse, { data, at }, id) => {
        if (id !== data.muse_id) return recruited(muse, 'verified');
        const { wallet, network, tx } = data;
        return { ...muse, verification: { wallet, network, verified_at: at, tx }, last_active_at: at };
      },
    ),
    change(OperatorVerified, byApplicant, (muse, { data: { domain }, at }) => ({
      ...muse,
      operator: domain === null ? null : { domain, verified_at: at },
      last_active_at: at,
    })),
    change(Suspended, byApplicant, muse => ({ ...muse, suspended: true })),
    change(Reinstated, byApplicant, muse => ({ ...muse, suspended: false })),
    change(Linked, byApplicant, (muse, { data }) => ({ ...muse, linked_to: data.to })),
    change(EarlierLinked, byApplicant, (muse, { data }) => ({ ...muse, earlier: data.earlier })),
    change(Forgotten, withReferrer, (muse, { data }, id) =>
      id === data.muse_id
        ? { ...muse, ...shownOf(EMPTY_PROFILE, ...SHOWN), ...ERASED }
        : recruited(muse, 'brought', -1),
    ),
    change(VerificationEnded, withReferrer, (muse, { data }, id) =>
      id === data.muse_id ? { ...muse, verification: null } : recruited(muse, 'verified', -1),
    ),
    change(Connected, bySides, connected(1)),
    change(Disconnected, ({ data }) => (data.was === 'connected' ? [data.by, data.to] : []), connected(-1)),
    change(
      Endorsed,
      ({ data }) => [data.to],
      (muse, { data }) => ({ ...muse, endorsements: endorsed(muse.endorsements, data) }),
    ),
    ...PROJECT_STEPS,
    change(JobPosted, ({ data }) => (data.poster ? [data.poster] : []), active),
    change(JobClosed, event => (event.data.closed_reason === 'closed' ? byPoster(event) : []), active),
    change(Posted, byApplicant, active),
    change(PostDeleted, byItself, active),
    change(Reacted, byApplicant, active),
    change(Applied, byApplicant, active),
    change(ApplicationEdited, byApplicant, active),
    change(Withdrawn, byApplicant, active),
    change(Rechecked, byActor, active),
    change(RecheckReplied, byActor, active),
    change(Disputed, byActor, active),
    change(DisputeWithdrawn, byActor, active),
    change(HireEnded, byParty, active),
    change(Hired, byParties, (muse, event, id) =>
      id === event.data.worker ? { ...muse, hires: muse.hires + 1 } : active(muse, event),
    ),
    change(
      Delivered,
      ({ data }) => [data.worker],
      (muse, { at }) => ({ ...muse, last_delivered_at: at, last_active_at: at }),
    ),
    change(Accepted, byParties, (muse, event, id) =>
      id === event.data.worker ? reviewed(muse, event.data) : active(muse, event),
    ),
    change(Paid, byParties, (muse, event, id) =>
      id === event.data.worker ? earned(muse, event.data) : active(muse, event),
    ),
    change(
      WageLost,
      ({ data }) => [data.worker],
      (muse, { data }) => notEarned(muse, data),
    ),
  ],
});
