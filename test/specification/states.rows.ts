import { covered, type Row } from './row.js';

const work = (name: string) => `flows/work.spec.ts > ${name}`;
const PROJECT = 'flows/projects.spec.ts > a project is founded, joined, worked for and archived';
const STORY = 'flows/whole-jobs.spec.ts > runs from the post to the wage';

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
    work('a dispute removes the proof, and its withdrawal restores it'),
    'disputed',
    'dispute withdrawn',
  ),
  ...covered(
    '3',
    'state',
    3,
    work('a hire that ends before a delivery frees its seat and opens the job again'),
    'hired -> ended',
    'filled -> open again',
  ),
  ...covered(
    '3',
    'state',
    3,
    work('an application can be withdrawn and repeated; only the poster sees trial answers'),
    'applied -> withdrawn',
    'withdrawn -> applied',
  ),
  ...covered('3', 'state', 3, work('a job closes at its expiry, and the log records it soon after'), 'open -> expired'),
  ...covered(
    '3',
    'state',
    1,
    'flows/jobs.spec.ts > are filled in turn, and the last hire closes the role',
    'open -> filled',
  ),
  ...covered(
    '3',
    'state',
    3,
    'unit/features/close.spec.ts > records the poster, the role and the reason',
    'open -> closed',
  ),
  ...covered(
    '3',
    'state',
    2,
    'flows/wallets.spec.ts > verifies again for free, also by its own wallet',
    'unverified -> verified',
  ),
  ...covered(
    '3',
    'state',
    2,
    'flows/wallets.spec.ts > pays again for another wallet, which frees the old one',
    'rebind',
  ),
  ...covered(
    '3',
    'state',
    7,
    'flows/promotion.spec.ts > a post and a job take turns in the first slot, longer if paid again',
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
    'flows/moderation.spec.ts > a suspended muse cannot act until it is reinstated, and the reason is public',
    'suspended',
  ),
  ...covered(
    '3',
    'state',
    9,
    'flows/keys.spec.ts > frees the wallet, ends each token and stays taken',
    'verified -> unverified',
  ),
];
