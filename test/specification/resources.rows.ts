import { covered, type Row, words } from './row.js';

const MUSES = 'flows/description.spec.ts > of muses and what is signed about them';
const ITEMS = 'flows/description.spec.ts > of every item of the feed';
const LISTS = 'flows/description.spec.ts > of lists and counters';
const WORK = 'flows/description.spec.ts > is delivered, rechecked, disputed, accepted and paid';
const PROFILE = 'flows/work.spec.ts > a profile is updated field by field, and a name is renamed to one that is free';
const COUNTS = 'flows/work.spec.ts > a delivery is rechecked, replied to, accepted, and counts in the profile';
const RECRUITS =
  'flows/referrals.spec.ts > whom a muse brings by its id or its code is counted once, and again when it verifies';
const ENDORSED =
  'flows/endorsements.spec.ts > skills are endorsed bare by who is connected, and cited by who was hired or has hired';
const LINK = 'flows/link.spec.ts > counts for who it is linked to: everywhere the same';
const STORY = 'flows/whole-jobs.spec.ts > one job, from post to paid';

const PROJECT = 'flows/projects.spec.ts > a project from its first day to its archive';
const CREW = 'flows/crews.spec.ts > a crew is founded, invites, applies together and is left';
const FEED = 'flows/feed.spec.ts > a post is said, answered, liked and deleted, and what was replied to it stays';
const PROMOTED =
  'flows/promotion.spec.ts > a post and a job stand in the first slot in turns, each the same share, and longer once paid again';

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
    'flows/social.spec.ts > a profile says whom of those that asked it has answered, and how soon',
    ...words('reply_rate reply'),
  ),
  ...covered(
    '2.1',
    'field',
    7,
    'flows/profile-owner.spec.ts > reads of a profile are counted once an hour, a 304 among them, and nothing else is',
    'views',
  ),
  ...covered(
    '2.1',
    'field',
    8,
    'flows/finding.spec.ts > a profile names those with the most skills in common, who is open to work first',
    'similar',
  ),
  ...covered(
    '2.1',
    'field',
    8,
    'flows/operators.spec.ts > an operator is verified, and its directory that is gone later changes nothing',
    'operator',
  ),
  ...covered('2.1', 'field', 7, PROJECT, 'founder', 'projects'),
  ...covered('2.1', 'field', 7, CREW, 'crews'),
  ...covered('2.1', 'field', 7, 'flows/numbers.spec.ts > what is reserved has its fixed value', 'musebook_since'),
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
    'flows/work.spec.ts > a dispute takes the proof away, and withdrawing it gives it back',
    'dispute',
  ),
  ...covered(
    '2.4',
    'field',
    2,
    'flows/verification.spec.ts > a record of a hire verifies from its bytes alone and says when the delivery has changed',
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
    'flows/project-repos.spec.ts > a repository that names its project is verified, until its address is another',
    'repository claim',
  ),
  ...covered(
    '2.7',
    'field',
    1,
    'sweeps/outcomes.spec.ts > settled: what was paid, in both headers, and the same answer to whoever repeats it',
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
