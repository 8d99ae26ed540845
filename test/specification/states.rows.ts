import { covered, type Row } from './row.js';

const work = (name: string) => `flows/work.spec.ts > ${name}`;
const PROJECT = 'flows/projects.spec.ts > a project from its first day to its archive';
const STORY = 'flows/whole-jobs.spec.ts > one job, from post to paid';

/** Section 3: states and transitions. */
export const STATES: readonly Row[] = [
  ...covered('3', 'state', 1, STORY, 'none -> posted', 'posted -> applied', 'applied -> hired', 'hired -> delivered'),
  ...covered('3', 'state', 1, STORY, 'delivered -> paid', 'items job, applied, hired, receipt are written'),
  ...covered(
    '3',
    'state',
    3,
    work('a delivery is rechecked, replied to, accepted, and counts in the profile'),
    'delivered -> rechecked',
    'delivered -> accepted',
  ),
  ...covered(
    '3',
    'state',
    3,
    work('a dispute takes the proof away, and withdrawing it gives it back'),
    'disputed',
    'dispute withdrawn',
  ),
  ...covered(
    '3',
    'state',
    3,
    work('a hire that ends before a delivery frees its seat, and the job is open again'),
    'hired -> ended',
    'filled -> open again',
  ),
  ...covered(
    '3',
    'state',
    3,
    work('an application can be withdrawn and made again, and only the poster reads trial answers'),
    'applied -> withdrawn',
    'withdrawn -> applied',
  ),
  ...covered(
    '3',
    'state',
    3,
    work('a job is closed from its time on, and the log says so soon after'),
    'open -> expired',
  ),
  ...covered(
    '3',
    'state',
    1,
    'flows/jobs.spec.ts > are filled one by one; the last one closes the role',
    'open -> filled',
  ),
  ...covered('3', 'state', 3, 'unit/features/close.spec.ts > says who closed what, and why', 'open -> closed'),
  ...covered(
    '3',
    'state',
    2,
    'flows/wallets.spec.ts > asks again for free, and for its own wallet too',
    'unverified -> verified',
  ),
  ...covered(
    '3',
    'state',
    2,
    'flows/wallets.spec.ts > pays again for another wallet, and the old one is free for another muse',
    'rebind',
  ),
  ...covered(
    '3',
    'state',
    7,
    'flows/promotion.spec.ts > a post and a job stand in the first slot in turns, each the same share, and longer once paid again',
    'promoted',
  ),
  ...covered('3', 'state', 7, PROJECT, 'project states'),
  ...covered(
    'i4',
    'state',
    4,
    'flows/forget.spec.ts > has a profile that says so, with every text, link and address null',
    'forgotten',
  ),
  ...covered(
    '3',
    'state',
    8,
    'flows/moderation.spec.ts > a suspended muse does nothing, with its key or its token, until it is reinstated; why is public',
    'suspended',
  ),
  ...covered(
    '3',
    'state',
    9,
    'flows/keys.spec.ts > frees the wallet, ends each token, and is taken for good',
    'verified -> unverified',
  ),
];
