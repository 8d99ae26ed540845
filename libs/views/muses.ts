import { ApplicationEdited, Applied } from '#libs/streams/application.js';
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
} from '#libs/streams/hire.js';
import { JobClosed, JobPosted, Withdrawn } from '#libs/streams/job.js';
import { Joined, ProfileUpdated, Registered, Verified } from '#libs/streams/muse.js';
import { posterId } from '#libs/kernel/house.js';
import { foldName } from '#libs/kernel/names.js';
import { change, on, projection } from './on.js';

export type MuseDocument = {
  readonly muse_id: string;
  readonly name: string | null;
  readonly headline: string | null;
  readonly bio: string | null;
  readonly about: string | null;
  readonly kind: string | null;
  readonly from: string | null;
  readonly avatar_url: string | null;
  readonly picture_url: string | null;
  readonly banner_url: string | null;
  readonly human_handle: string | null;
  readonly email: string | null;
  readonly skills: readonly string[];
  readonly services: readonly { readonly [field: string]: string | number | readonly string[] }[];
  readonly open_to_work: boolean;
  readonly has_payout_address: boolean;
  readonly public_key: string | null;
  /** The name in the one form in which names are compared. */
  readonly folded_name: string | null;
  readonly verification: {
    readonly wallet: string;
    readonly network: string;
    readonly verified_at: number;
    readonly tx: string;
  } | null;
  readonly joined: boolean;
  readonly joined_at: number | null;
  readonly hires: number;
  readonly last_delivered_at: number | null;
  readonly last_active_at: number;
  readonly referred_by: string | null;
  /** What posters said of its work, each of its newest. */
  readonly reviews: { readonly count: number; readonly positive: number } | null;
  /** What it was paid, in smallest units, by token. */
  readonly earned: { readonly [token: string]: { readonly count: number; readonly amount: string } };
};

const active = (muse: MuseDocument, { at }: { readonly at: number }) => ({ ...muse, last_active_at: at });

type ByApplicant = { readonly data: { readonly muse_id: string } };
const byApplicant = ({ data }: ByApplicant) => [data.muse_id];
type ByActor = { readonly data: { readonly by: string } };
const byActor = ({ data }: ByActor) => [data.by];
type ByPoster = { readonly data: { readonly poster: string | null } };
const byPoster = ({ data }: ByPoster) => [posterId(data.poster)];
type ByParties = { readonly data: { readonly poster: string | null; readonly worker: string } };
const byParties = (event: ByParties) => [event.data.worker, ...byPoster(event)];

/** One muse: identity, texts and flags. What only some readers need is joined by the query. */
export const Muses = projection<MuseDocument>({
  name: 'muses',
  version: 2,
  indexes: { byName: ['folded_name', 'muse_id'] },
  steps: [
    on(
      Registered,
      ({ data }) => [data.muse_id],
      (_document, { data, at }) => {
        const {
          muse_id,
          name,
          headline,
          bio,
          about,
          kind,
          from,
          avatar_url,
          email,
          skills,
          open_to_work,
          referred_by,
        } = data;
        return {
          ...{ muse_id, name, headline, bio, about, kind, from, avatar_url, email, skills, open_to_work, referred_by },
          ...{ picture_url: null, banner_url: null, human_handle: null, services: [] },
          ...{ joined: false, joined_at: null, hires: 0, last_delivered_at: null, last_active_at: at, earned: {} },
          has_payout_address: data.payout_address !== null,
          public_key: data.public_key,
          folded_name: name === null ? null : foldName(name),
          verification: null,
          reviews: null,
        };
      },
    ),
    change(
      Joined,
      ({ data }) => [data.muse_id],
      (muse, { data, at }) => {
        const referred_by = muse.referred_by ?? data.referred_by;
        return { ...muse, joined: true, joined_at: at, last_active_at: at, referred_by };
      },
    ),
    change(
      ProfileUpdated,
      ({ data }) => [data.muse_id],
      (muse, { data, at }) => {
        const {
          muse_id: _id,
          payout_address,
          lightning_address: _lightning,
          job_alerts: _a,
          daily: _d,
          match: _m,
          ...shown
        } = data;
        const paid = payout_address === undefined ? muse.has_payout_address : payout_address !== null;
        const services = shown.services === undefined ? muse.services : (shown.services ?? []);
        const folded_name = shown.name == null ? muse.folded_name : foldName(shown.name);
        return { ...muse, ...shown, folded_name, services, has_payout_address: paid, last_active_at: at };
      },
    ),
    change(
      Verified,
      ({ data }) => [data.muse_id],
      (muse, { data, at }) => {
        const { wallet, network, tx } = data;
        return { ...muse, verification: { wallet, network, verified_at: at, tx }, last_active_at: at };
      },
    ),
    change(JobPosted, ({ data }) => (data.poster ? [data.poster] : []), active),
    change(JobClosed, event => (event.data.closed_reason === 'closed' ? byPoster(event) : []), active),
    change(Applied, byApplicant, active),
    change(ApplicationEdited, byApplicant, active),
    change(Withdrawn, byApplicant, active),
    change(Rechecked, byActor, active),
    change(RecheckReplied, byActor, active),
    change(Disputed, byActor, active),
    change(DisputeWithdrawn, byActor, active),
    change(HireEnded, byActor, active),
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
  ],
});

type Verdict = { readonly positive: boolean; readonly was_positive: boolean | null };

/** One review for each hire, by its newest acceptance. */
function reviewed(muse: MuseDocument, { positive, was_positive }: Verdict): MuseDocument {
  const so = muse.reviews ?? { count: 0, positive: 0 };
  const first = was_positive === null ? 1 : 0;
  const changed = (positive ? 1 : 0) - (was_positive ? 1 : 0);
  return { ...muse, reviews: { count: so.count + first, positive: so.positive + changed } };
}

function earned(muse: MuseDocument, { token, amount }: { readonly token: string; readonly amount: string }) {
  const so = muse.earned[token] ?? { count: 0, amount: '0' };
  const sum = { count: so.count + 1, amount: String(BigInt(so.amount) + BigInt(amount)) };
  return { ...muse, earned: { ...muse.earned, [token]: sum } };
}
