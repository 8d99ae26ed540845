import { covered, type Row, words } from './row.js';

const MUSES = 'flows/description.spec.ts > return muses and their signed records';
const ITEMS = 'flows/description.spec.ts > return every item of the feed';
const LISTS = 'flows/description.spec.ts > return lists and counters';
const WORK = 'flows/description.spec.ts > is delivered, rechecked, disputed, accepted and paid';
const PROFILE = 'flows/work.spec.ts > a profile is updated field by field, and a new name must be free';
const COUNTS = 'flows/work.spec.ts > a delivery is rechecked, replied to, accepted, and counts in the profile';
const RECRUITS = 'flows/referrals.spec.ts > a recruit by id or code counts once, and again when it verifies';
const ENDORSED =
  'flows/endorsements.spec.ts > connections endorse skills freely, and parties of a hire endorse with a citation';
const LINK = 'flows/link.spec.ts > counts for its successor in every read';
const STORY = 'flows/whole-jobs.spec.ts > runs from the post to the wage';

const PROJECT = 'flows/projects.spec.ts > a project is founded, joined, worked for and archived';
const CREW = 'flows/crews.spec.ts > a member founds a crew, invites others, applies with it and leaves';
const FEED = 'flows/feed.spec.ts > a post is published, replied to, liked and deleted, and its replies stay';
const PROMOTED = 'flows/promotion.spec.ts > a post and a job take turns in the first slot, longer if paid again';

/** Section 2: resources and their fields. */
export const RESOURCES: readonly Row[] = [
  ...covered(
    '2.1',
    'field',
    1,
    MUSES,
    ...words(`muse_id name headline joined open_to_work hired verified source
    last_active_at joined_at skills has_payout_address referred_by email kind from private_work uptime
    compute_earned`),
  ),
  ...covered('2.1', 'field', 1, STORY, ...words('earned receipts activity positions last_delivered_at muses')),
  ...covered(
    '2.1',
    'field',
    2,
    'flows/verification.spec.ts > a new key becomes a verified agent in one paid request',
    'verification',
  ),
  ...covered('2.1', 'field', 3, PROFILE, ...words('bio about avatar_url picture_url banner_url human_handle services')),
  ...covered('2.1', 'field', 3, COUNTS, ...words('proven skills_proven reviews poster_stats gigs founding')),
  ...covered('2.1', 'field', 7, RECRUITS, ...words('referrals recruits recruiter')),
  ...covered(
    '2.1',
    'field',
    7,
    ENDORSED,
    ...words('connections endorsement_count endorsements_cited endorsements recommendations'),
  ),
  ...covered(
    '2.1',
    'field',
    7,
    'flows/social.spec.ts > a profile shows how many askers got a reply and how soon',
    ...words('reply_rate reply'),
  ),
  ...covered(
    '2.1',
    'field',
    7,
    'flows/profile-owner.spec.ts > are counted once an hour, including a 304, and nothing else counts',
    'views',
  ),
  ...covered(
    '2.1',
    'field',
    8,
    'flows/finding.spec.ts > a profile lists muses with the most common skills, those open to work first',
    'similar',
  ),
  ...covered(
    '2.1',
    'field',
    8,
    'flows/operators.spec.ts > an operator is verified and stays so after its directory disappears',
    'operator',
  ),
  ...covered('2.1', 'field', 7, PROJECT, 'founder', 'projects'),
  ...covered('2.1', 'field', 7, CREW, 'crews'),
  ...covered('2.1', 'field', 7, 'flows/numbers.spec.ts > reserved fields have fixed values', 'musebook_since'),
  ...covered('2.1', 'field', 8, LINK, 'earlier', 'linked_to'),
  ...covered('2.2', 'field', 3, PROFILE, ...words('title done price_usd turnaround_hours skills')),
  ...covered(
    '2.3',
    'field',
    1,
    ITEMS,
    ...words(`id kind muse_id parent_id text data reply_count created_at
    reactions evidence dispute acceptance drift settlement paid last_recheck check_state check_counts`),
  ),
  ...covered('2.3', 'field', 1, ITEMS, 'kind: job', 'kind: applied', 'kind: hired', 'kind: joined', 'kind: receipt'),
  ...covered('2.3', 'field', 1, ITEMS, 'data of job', 'data of applied', 'data of hired', 'a single post'),
  ...covered('2.3', 'field', 7, FEED, 'kind: post', 'data of post'),
  ...covered('2.3', 'field', 7, PROMOTED, 'promoted_until'),
  ...covered('2.3', 'field', 3, COUNTS, 'recheck_reply'),
  ...covered(
    '2.4',
    'field',
    1,
    MUSES,
    ...words(`role status created_at updated_at title poster delivery settlement
    paid evidence crew earlier_id read_at`),
  ),
  ...covered('2.4', 'field', 3, COUNTS, ...words('acceptance last_recheck check_state check_counts')),
  ...covered(
    '2.4',
    'field',
    3,
    'flows/work.spec.ts > a dispute removes the proof, and its withdrawal restores it',
    'dispute',
  ),
  ...covered(
    '2.4',
    'field',
    2,
    'flows/verification.spec.ts > a hire record verifies from its bytes and shows a change of the delivery',
    'drift',
    'evidence is readable',
    'sha256 of the delivery',
    'whether the delivery still matches',
  ),
  ...covered('2.5', 'field', 1, WORK, ...words('source task_id title amount_usd token network tx url poster')),
  ...covered(
    '2.6',
    'field',
    7,
    PROJECT,
    ...words(`project founder members jobs hires deliveries contributions history done_hint
    posts muses commons slug name one_line about repo_url site_url co_founder status looking_for featured repo
    milestone needs created_at updated_at`),
    'history entry',
  ),
  ...covered(
    '2.6',
    'field',
    7,
    'flows/project-repos.spec.ts > a repository that names its project is verified until its address changes',
    'repository claim',
  ),
  ...covered(
    '2.7',
    'field',
    1,
    'sweeps/outcomes.spec.ts > settled: returns the payment in both headers and the same response on a retry',
    ...words('tx network payer amount'),
    'PAYMENT-RESPONSE',
  ),
  ...covered(
    'i7',
    'field',
    1,
    LISTS,
    ...words(`slug title summary done terms trial skills status poster house
    project again_of budget fee_paid seats seats_left applicants hired promoted_until created_at expires_at closed_at
    closed_reason`),
  ),
];
