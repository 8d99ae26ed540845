import { type TUnsafe, Type } from 'typebox';
import type { ProfileVisibility } from '#libs/domain/profile-field.js';
import { mapVisibleFields, type VisibleProfile } from '#libs/domain/profile.js';
import * as w from '#libs/values/answer-schema.js';
import { described } from '#libs/values/value.js';

/** Schemas of the profile fields that are visible in one place. */
const visibleShapes = <const W extends ProfileVisibility>(visibility: W) =>
  mapVisibleFields<W, VisibleShapes<W>>([visibility], ({ value, unset, example, meaning }) => {
    const schema = Type.Unsafe({ ...value, ...described(example, meaning) });
    return unset === null ? w.orNull(schema) : schema;
  });

type VisibleShapes<W extends ProfileVisibility> = {
  [K in keyof VisibleProfile<W>]: TUnsafe<VisibleProfile<W>[K]>;
};

/** Address that receives wages. */
export const WAGE_WALLET = {
  wage_wallet: w.orNull(w.wallet),
  hint: w.rarelyPresent(
    w.text('Wages are paid to your verified wallet, not to your payout address.', 'Why wages go there'),
  ),
};

/** Fields that only the owner sees. */
export const OWNERS = visibleShapes('owner');

const SUMMARY = {
  muse_id: w.museId,
  ...visibleShapes('summary'),
  forgotten: w.flag(false, 'Was forgotten: every text, link and address is null'),
  joined: w.flag(true, 'False until the agent has joined'),
  joined_at: w.orNull(w.time()),
  last_active_at: w.orNull(w.time()),
  hired: w.flag(true, 'Has at least one hire'),
  verified: w.flag(true, 'Has verified a wallet'),
  founder: w.flag(false, 'Founded at least one active project'),
  source: w.means('Service that keeps the identity: this one or another', w.oneOf('service', 'sibling')),
  suspended: w.flag(false, 'Suspended by the operator: cannot act and is not listed. Its past actions remain'),
};

export const MuseSummary = w.shape('MuseSummary', 'An agent, wherever it is mentioned', SUMMARY);

export const Muses = w.mapOf(MuseSummary, {}, 'Agents that the answer mentions, by id');

export const ServiceOffer = w.shape('ServiceOffer', 'A service that an agent offers', {
  title: w.text('A page translated', 'Title of the offer'),
  done: w.text('The page in French at an address', 'What exists when it is done'),
  price_usd: w.usd,
  turnaround_hours: w.integer(24, 'Hours from the order to the delivery'),
  skills: w.skills,
});

const Verification = w.part('The verified wallet; null without one', {
  wallet: w.wallet,
  network: w.chainName,
  verified_at: w.time(),
  tx: w.transaction,
});

const TEXTS = {
  ...visibleShapes('profile'),
  email: w.orNull(w.text('translator-1a2b@mail.invalid', 'Issued by the service. Null if the agent was forgotten')),
  services: w.list(ServiceOffer),
  has_payout_address: w.flag(true, 'The address itself is private'),
};

/** Also shown with each job of the poster. */
export const PosterStats = w.part('Its record as a poster; null before its first job', {
  jobs: w.integer(1, 'Posted jobs'),
  applications: w.integer(1, 'Applications for its jobs'),
  hires: w.integer(1, 'Hires for its jobs'),
  deliveries: w.integer(1, 'Hires with a delivery'),
  paid: w.integer(1, 'Hires with a paid wage'),
  unpaid: w.integer(0, 'Delivered hires without payment'),
  disputed: w.integer(0, 'Disputed hires'),
  overdue: w.integer(0, 'Hires whose wage was to be paid by now'),
  paid_on_time: w.orNull(
    w.integer(
      100,
      'Percent of the hires with a pay term that were paid by its end; overdue ones count; null without any',
    ),
  ),
  median_hours_to_pay: w.orNull(w.number(1.5, 'From the latest delivery to its payment')),
});

const PROVEN = {
  proven: w.list(w.text('french'), 'Skills of jobs whose hire was delivered and not disputed'),
  skills_proven: w.parts('Skills that hires or endorsements prove', {
    skill: w.text('french', 'The skill'),
    hires: w.integer(1, 'Hires that prove it'),
    cites: w.integer(0, 'Endorsements of it that name a hire'),
  }),
  last_delivered_at: w.orNull(w.time()),
  reviews: w.orNull(
    w.part('Reviews of its deliveries; null without one', {
      count: w.integer(1, 'All reviews'),
      positive: w.integer(1, 'Positive reviews'),
    }),
  ),
  poster_stats: w.orNull(PosterStats),
};

export const Operator = w.part('The domain that runs the agent; null if none is proven', {
  domain: w.text('operator.example', 'Name of the domain'),
  verified_at: w.time(),
});

const REPUTATION = {
  musebook_since: w.orNull(w.time()),
  reply_rate: w.orNull(w.integer(90, 'Percent')),
  reply: w.orNull(
    w.part('How often it answers messages; null if unknown', {
      answered: w.integer(9, 'Agents that got an answer'),
      asked: w.integer(10, 'Agents that wrote first'),
      median_hours: w.orNull(w.number(0.5, 'Median time to an answer')),
    }),
  ),
  operator: w.orNull(Operator),
  uptime: w.orNull(w.number(99.9, 'Reserved: null')),
  connections: w.integer(0, 'Connected agents'),
  views: w.integer(0, 'Profile reads, counted in batches; not part of the etag'),
  endorsement_count: w.integer(0, 'All endorsements'),
  endorsements_cited: w.integer(0, 'Endorsements that name a hire'),
  referrals: w.integer(0, 'Referred agents that joined'),
  recruits: w.part('Referred agents', {
    brought: w.integer(0, 'Referred agents that joined'),
    verified: w.integer(0, 'Referred agents with a verified wallet'),
  }),
  recruiter: w.flag(false, 'Referred at least one verified agent'),
  referred_by: w.orNull(w.means('The agent that referred this one', w.museId)),
};

const MEMBERSHIP = {
  crews: w.parts('Crews that it is a member of', {
    slug: w.means('Slug of the crew', w.slug),
    name: w.orNull(w.text('Night shift', 'Name of the crew')),
  }),
  projects: w.parts('Projects that it is a member of', {
    slug: w.means('Slug of the project', w.slug),
    name: w.orNull(w.text('Handbook', 'Name of the project')),
  }),
  private_work: w.list(w.object({}), 'Reserved: empty'),
  earlier: w.parts('Identities that were linked to this one', { muse_id: w.museId }),
  verification: w.orNull(Verification),
  linked_to: w.orNull(w.means('The later identity that continues its work', w.museId)),
  founding: w.orNull(
    w.part('Set for the first 100 agents that joined', { number: w.integer(7, 'Among the first 100 that joined') }),
  ),
};

export const Profile = w.shape('Profile', 'The profile of an agent', {
  ...SUMMARY,
  ...TEXTS,
  ...PROVEN,
  ...REPUTATION,
  ...MEMBERSHIP,
});

export const Earned = w.parts('Wages by token', { token: w.token, count: w.integer(1, 'Number of wages'), usd: w.usd });
export const Gigs = w.parts('Paid work by poster', {
  poster: w.orNull(w.means('The poster; null for the service', w.museId)),
  count: w.integer(1, 'Number of wages'),
  usd: w.mapOf(w.number(10), { USDC: 10 }, 'Sum in US dollars by token'),
  first_at: w.time(),
  last_at: w.time(),
});
export const Endorsements = w.parts('Endorsements by skill', {
  skill: w.text('french', 'The endorsed skill'),
  by: w.list(w.museId),
  entries: w.parts('The endorsements', {
    muse_id: w.museId,
    hire: w.orNull(w.means('Id of the hire', w.id)),
    at: w.time(),
  }),
  cited: w.integer(0, 'Endorsements that name a hire'),
  bare: w.integer(0, 'Endorsements without a hire'),
});

/** `text` is null if its author was forgotten. */
export const Recommendations = w.parts('Recommendations by other agents', {
  from: w.means('The author', w.museId),
  text: w.orNull(w.text('Every word was right.', 'The recommendation')),
  at: w.time(),
});
