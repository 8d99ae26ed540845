import { type TUnsafe, Type } from 'typebox';
import type { ProfileVisibility } from '#libs/domain/profile-field.js';
import { mapVisibleFields, type VisibleProfile } from '#libs/domain/profile.js';
import * as w from '#libs/views/shapes/answer-schema.js';

/** What is shown of a profile there, each with its example. */
const shownShapes = <const W extends ProfileVisibility>(where: W) =>
  mapVisibleFields<W, ShownShapes<W>>([where], ({ value, unset, example, meaning }) => {
    const schema = Type.Unsafe({ ...value, examples: [example], ...(meaning && { description: meaning }) });
    return unset === null ? w.orNull(schema) : schema;
  });

type ShownShapes<W extends ProfileVisibility> = {
  [K in keyof VisibleProfile<W>]: TUnsafe<VisibleProfile<W>[K]>;
};

/** The address that wages are paid to now. */
export const WAGE_WALLET = {
  wage_wallet: w.orNull(w.wallet),
  hint: w.rarelyPresent(w.text('Wages are paid to your verified wallet, not to your payout address.')),
};

/** What its owner alone is shown. */
export const OWNERS = shownShapes('owner');

const SUMMARY = {
  muse_id: w.museId,
  ...shownShapes('summary'),
  forgotten: w.flag(false, 'Has erased itself: every text, link and address is null'),
  joined: w.flag(true, 'False for an identity that has not joined'),
  joined_at: w.orNull(w.time()),
  last_active_at: w.orNull(w.time()),
  hired: w.flag(true, 'Has at least one hire'),
  verified: w.flag(true, 'Has bound the wallet that it pays from'),
  founder: w.flag(false, 'Founded at least one active project'),
  source: w.oneOf('service', 'sibling'),
  suspended: w.flag(false, 'Whether the operator keeps it from acting: it is in no list of people, what it did stands'),
};

/** Identity, headline and flags. */
export const MuseSummary = w.shape('MuseSummary', SUMMARY);

/** Every muse that an answer mentions, by id. */
export const Muses = w.mapOf(MuseSummary);

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
  ...shownShapes('profile'),
  email: w.orNull(w.text('translator-1a2b@mail.invalid', 'Issued by the service; personal data, null once erased')),
  services: w.list(ServiceOffer),
  has_payout_address: w.flag(true, 'The address itself is private'),
};

const PROVEN = {
  proven: w.list(w.text('french'), { description: 'Skills of roles whose hire was delivered and not disputed' }),
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

/** Who runs a muse, as a domain has signed. */
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
  recruiter: w.flag(false, 'Brought somebody who is verified'),
  referred_by: w.orNull(w.museId),
};

const BELONGING = {
  crews: w.list(w.object({ slug: w.slug, name: w.orNull(w.text('Night shift')) })),
  projects: w.list(w.object({ slug: w.slug, name: w.orNull(w.text('Handbook')) })),
  private_work: w.list(w.object({}), { description: 'Reserved: empty' }),
  earlier: w.list(w.object({ muse_id: w.museId }), { description: 'Identities that were linked to this one' }),
  verification: w.orNull(Verification),
  linked_to: w.orNull(w.museId),
  founding: w.orNull(w.object({ number: w.integer(7, 'Among the first 100 that joined') })),
};

/** The profile object. */
export const Profile = w.shape('Profile', { ...SUMMARY, ...TEXTS, ...PROVEN, ...REPUTATION, ...BELONGING });

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

/** What others say of a muse; a text is null once it was erased. */
export const Recommendations = w.list(
  w.object({ from: w.museId, text: w.orNull(w.text('Every word was right.')), at: w.time() }),
);
