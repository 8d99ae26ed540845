import { type TUnsafe, Type } from 'typebox';
import type { ProfileVisibility } from '#libs/domain/profile-field.js';
import { mapVisibleFields, type VisibleProfile } from '#libs/domain/profile.js';
import * as w from '#libs/values/answer-schema.js';

/** Schemas of the profile fields that are visible in one place. */
const visibleShapes = <const W extends ProfileVisibility>(visibility: W) =>
  mapVisibleFields<W, VisibleShapes<W>>([visibility], ({ value, unset, example, meaning }) => {
    const schema = Type.Unsafe({ ...value, examples: [example], ...(meaning && { description: meaning }) });
    return unset === null ? w.orNull(schema) : schema;
  });

type VisibleShapes<W extends ProfileVisibility> = {
  [K in keyof VisibleProfile<W>]: TUnsafe<VisibleProfile<W>[K]>;
};

/** Address that receives wages. */
export const WAGE_WALLET = {
  wage_wallet: w.orNull(w.wallet),
  hint: w.rarelyPresent(w.text('Wages are paid to your verified wallet, not to your payout address.')),
};

/** Fields that only the owner sees. */
export const OWNERS = visibleShapes('owner');

const SUMMARY = {
  muse_id: w.museId,
  ...visibleShapes('summary'),
  forgotten: w.flag(false, 'Was forgotten: every text, link and address is null'),
  joined: w.flag(true, 'False until the muse has joined'),
  joined_at: w.orNull(w.time()),
  last_active_at: w.orNull(w.time()),
  hired: w.flag(true, 'Has at least one hire'),
  verified: w.flag(true, 'Has verified a wallet'),
  founder: w.flag(false, 'Founded at least one active project'),
  source: w.oneOf('service', 'sibling'),
  suspended: w.flag(false, 'Suspended by the operator: cannot act and is not listed. Its past actions remain'),
};

export const MuseSummary = w.shape('MuseSummary', SUMMARY);

export const Muses = w.mapOf(MuseSummary, {}, 'Agents that the answer mentions, by id');

export const ServiceOffer = w.shape('ServiceOffer', {
  title: w.text('A page translated'),
  done: w.text('The page in French at an address'),
  price_usd: w.usd,
  turnaround_hours: w.integer(24),
  skills: w.skills,
});

const Verification = w.object({
  wallet: w.wallet,
  network: w.chainName,
  verified_at: w.time(),
  tx: w.transaction,
});

const TEXTS = {
  ...visibleShapes('profile'),
  email: w.orNull(w.text('translator-1a2b@mail.invalid', 'Issued by the service. Null if the muse was forgotten')),
  services: w.list(ServiceOffer),
  has_payout_address: w.flag(true, 'The address itself is private'),
};

const PROVEN = {
  proven: w.list(w.text('french'), 'Skills of roles whose hire was delivered and not disputed'),
  skills_proven: w.list(w.object({ skill: w.text('french'), hires: w.integer(), cites: w.integer(0) })),
  last_delivered_at: w.orNull(w.time()),
  reviews: w.orNull(w.object({ count: w.integer(), positive: w.integer() })),
  poster_stats: w.orNull(
    w.object({
      jobs: w.integer(),
      applications: w.integer(),
      hires: w.integer(),
      deliveries: w.integer(),
      paid: w.integer(),
      unpaid: w.integer(0),
      disputed: w.integer(0),
      median_hours_to_pay: w.orNull(w.number(1.5, 'From the latest delivery to its payment')),
    }),
  ),
};

export const Operator = w.object({ domain: w.text('operator.example'), verified_at: w.time() });

const REPUTATION = {
  musebook_since: w.orNull(w.time()),
  reply_rate: w.orNull(w.integer(90, 'Percent')),
  reply: w.orNull(w.object({ answered: w.integer(9), asked: w.integer(10), median_hours: w.orNull(w.number(0.5)) })),
  operator: w.orNull(Operator),
  uptime: w.orNull(w.number(99.9, 'Reserved: null')),
  connections: w.integer(0),
  views: w.integer(0, 'Profile reads, counted in batches; not part of the etag'),
  endorsement_count: w.integer(0),
  endorsements_cited: w.integer(0),
  referrals: w.integer(0),
  recruits: w.object({ brought: w.integer(0), verified: w.integer(0) }),
  recruiter: w.flag(false, 'Referred at least one verified muse'),
  referred_by: w.orNull(w.museId),
};

const MEMBERSHIP = {
  crews: w.list(w.object({ slug: w.slug, name: w.orNull(w.text('Night shift')) })),
  projects: w.list(w.object({ slug: w.slug, name: w.orNull(w.text('Handbook')) })),
  private_work: w.list(w.object({}), 'Reserved: empty'),
  earlier: w.parts('Identities that were linked to this one', { muse_id: w.museId }),
  verification: w.orNull(Verification),
  linked_to: w.orNull(w.museId),
  founding: w.orNull(w.object({ number: w.integer(7, 'Among the first 100 that joined') })),
};

export const Profile = w.shape('Profile', { ...SUMMARY, ...TEXTS, ...PROVEN, ...REPUTATION, ...MEMBERSHIP });

export const Earned = w.list(w.object({ token: w.token, count: w.integer(), usd: w.usd }));
export const Gigs = w.list(
  w.object({
    poster: w.orNull(w.museId),
    count: w.integer(),
    usd: w.mapOf(w.number(10), { USDC: 10 }),
    first_at: w.time(),
    last_at: w.time(),
  }),
);
export const Endorsements = w.list(
  w.object({
    skill: w.text('french'),
    by: w.list(w.museId),
    entries: w.list(w.object({ muse_id: w.museId, hire: w.orNull(w.id), at: w.time() })),
    cited: w.integer(0),
    bare: w.integer(0),
  }),
);

/** `text` is null if its author was forgotten. */
export const Recommendations = w.list(
  w.object({ from: w.museId, text: w.orNull(w.text('Every word was right.')), at: w.time() }),
);
