import { authorsIn } from '../forgetting.js';
import { type EventSketch, REPEATED_EVENTS } from '../repeated-events.js';
import { told } from '../unit/features/worlds.js';
import { storyEvents } from './event-samples.js';
import { CHECKER, HIRE, POST, POSTER, ROLE, STORY, type StoryEvent, WORKER } from './event-story.js';
import { WAGE } from './payment-story.js';

const REPETITIONS = 3;
const LAST_POST = 410_987_654_399;
const OF_HIRE = `hire-${HIRE}`;
const OF_ESCROW = `escrow-${WAGE}`;
const LATE_HIRE = 210_987_654_377;
const OF_LATE_HIRE = `hire-${LATE_HIRE}`;
const OWED_HIRE = 210_987_654_355;
const OF_OWED_HIRE = `hire-${OWED_HIRE}`;
const ENDED = { hire: HIRE, role: ROLE, poster: POSTER, worker: WORKER };
const OF_JOB = `job-${ROLE}`;
const PAIR = `connection-${CHECKER}:${WORKER}`;
const proof = (proves: boolean | null) => ({ skills: ['french', 'german'], proves });

/** An escrow of the hire, from its funding to its end. */
const escrowOf = (to: string): EventSketch[] => [
  ['EscrowFunded', { hire: HIRE, role: ROLE }, OF_HIRE],
  ['EscrowSecured', ENDED, OF_ESCROW],
  ['Delivered', { hire: HIRE, delivery: 8, ...proof(true) }, OF_HIRE],
  ['DeliveryRead', { hire: HIRE, delivery: 8, ...proof(true) }, OF_HIRE],
  ['ReviewEndsSoon', { hire: HIRE, role: ROLE, delivery: 8 }, OF_HIRE],
  ['Disputed', { hire: HIRE, by: POSTER, again: false, arbiter: CHECKER, ...proof(false) }, OF_HIRE],
  ['DisputeWithdrawn', { hire: HIRE, by: POSTER, ...proof(true) }, OF_HIRE],
  ['EscrowDecided', { hire: HIRE, role: ROLE, to }, OF_HIRE],
  ['EscrowStuck', ENDED, OF_ESCROW],
  ['EscrowReleased', ENDED, OF_ESCROW],
];

/** An escrow that ends without a decision. */
const undecided = ['EscrowReturned', 'EscrowLost'].flatMap((end): EventSketch[] => [
  ['EscrowFunded', { hire: HIRE, role: ROLE }, OF_HIRE],
  [end, ENDED, OF_ESCROW],
  ['EscrowClosed', { hire: HIRE, role: ROLE }, OF_HIRE],
]);

/** Hires with a deadline: one delivers something unreadable too late, one in time. */
const withDeadline: readonly EventSketch[] = [
  ['Hired', { hire: LATE_HIRE, role: ROLE, deliver_by: 1_900_000_000_000 }, OF_LATE_HIRE],
  ['DeliveryDue', { hire: LATE_HIRE, role: ROLE, deliver_by: 1_900_000_000_000 }, OF_LATE_HIRE],
  ['Delivered', { hire: LATE_HIRE, delivery: 1, ...proof(true) }, OF_LATE_HIRE],
  ['DeliveryRead', { hire: LATE_HIRE, delivery: 1, digest: null, reason: 'status' }, OF_LATE_HIRE],
  [
    'HireEnded',
    { hire: LATE_HIRE, role: ROLE, by: null, reason: 'not_delivered', code: 'not_delivered', ...proof(false) },
    OF_LATE_HIRE,
  ],
  ['Hired', { hire: LATE_HIRE + 1, role: ROLE, deliver_by: 1_900_000_000_000 }, `hire-${LATE_HIRE + 1}`],
  ['Delivered', { hire: LATE_HIRE + 1, delivery: 1, ...proof(null) }, `hire-${LATE_HIRE + 1}`],
  ['DeliveryRead', { hire: LATE_HIRE + 1, delivery: 1 }, `hire-${LATE_HIRE + 1}`],
  ...[['Accepted', { by: POSTER, was_positive: null, ...proof(null) }] as const, ['WageStarted', {}] as const].flatMap(
    ([type, data], at): EventSketch[] => {
      const hire = LATE_HIRE + 2 + at;
      const stream = `hire-${hire}`;
      return [
        ['Hired', { hire, role: ROLE, deliver_by: 1_900_000_000_000 }, stream],
        ['Delivered', { hire, delivery: 1, ...proof(null) }, stream],
        [type, { hire, role: ROLE, ...data }, stream],
      ];
    },
  ),
];

/** A hire with a pay term, and one that ends. */
const withPayTerm: readonly EventSketch[] = [
  ['Hired', { hire: OWED_HIRE, role: ROLE, pay_within_days: 3 }, OF_OWED_HIRE],
  ['Delivered', { hire: OWED_HIRE, delivery: 1, ...proof(null) }, OF_OWED_HIRE],
  ['RevisionAsked', { hire: OWED_HIRE, by: POSTER, count: 1 }, OF_OWED_HIRE],
  ['Delivered', { hire: OWED_HIRE, delivery: 2, ...proof(null) }, OF_OWED_HIRE],
  ['Disputed', { hire: OWED_HIRE, by: WORKER, again: false, ...proof(null) }, OF_OWED_HIRE],
  ['DisputeWithdrawn', { hire: OWED_HIRE, by: WORKER, ...proof(null) }, OF_OWED_HIRE],
  ['Accepted', { hire: OWED_HIRE, by: POSTER, was_positive: null, ...proof(null) }, OF_OWED_HIRE],
  ['WageDue', { hire: OWED_HIRE, role: ROLE, state: 'due', due_at: 1_900_000_000_000 }, OF_OWED_HIRE],
  ['WageStarted', { hire: OWED_HIRE, role: ROLE }, OF_OWED_HIRE],
  ['Paid', { hire: OWED_HIRE, role: ROLE }, OF_OWED_HIRE],
  ['WageLost', { hire: OWED_HIRE, role: ROLE }, OF_OWED_HIRE],
  ['Hired', { hire: OWED_HIRE + 1, role: ROLE, pay_within_days: 3 }, `hire-${OWED_HIRE + 1}`],
  ['HireEnded', { hire: OWED_HIRE + 1, role: ROLE, by: POSTER, ...proof(null) }, `hire-${OWED_HIRE + 1}`],
];

/** Changes that neither the story nor the repeated events contain, and events that must not count twice. */
const FURTHER: readonly EventSketch[] = [
  ['Registered', { muse_id: CHECKER, skills: ['french'], payout_address: `0x${'6'.repeat(40)}` }, `muse-${CHECKER}`],
  ['Joined', { muse_id: CHECKER, item: 1_000_000_000_077, referred_by: WORKER }, `muse-${CHECKER}`],
  ['ProfileUpdated', { name: 'Checker Two', skills: ['german'], job_alerts: true }, `muse-${WORKER}`],
  ['ConnectionRequested', { by: CHECKER, to: WORKER }, PAIR],
  ['Disconnected', { by: CHECKER, to: WORKER, was: 'requested' }, PAIR],
  ['Connected', { by: CHECKER, to: WORKER }, PAIR],
  ['Disconnected', { by: CHECKER, to: WORKER, was: 'connected' }, PAIR],
  ['Endorsed', { from: CHECKER, to: WORKER, skill: 'german', hire: null, was: null, proven: false }, 'endorsement-x'],
  ['Endorsed', { from: CHECKER, to: WORKER, skill: 'german', was: 'bare', proven: true }, 'endorsement-x'],
  ['JobUpdated', { role: ROLE, reopens: true }, OF_JOB],
  ['Promoted', { post: null, role: ROLE, until: 1_900_000_000_000 }, OF_JOB],
  ['JobClosed', { role: ROLE, closed_reason: 'closed', seats_left: 0 }, OF_JOB],
  ['SeatFreed', { role: ROLE, hire: HIRE, worker: WORKER, reopens: true }, OF_JOB],
  ['JobClosed', { role: ROLE, closed_reason: 'expired', seats_left: 1, again: true }, OF_JOB],
  ['JobUpdated', { role: ROLE, reopens: true }, OF_JOB],
  ['Delivered', { hire: HIRE, delivery: 9, post: POST, ...proof(true) }, OF_HIRE],
  ['DeliveryRead', { hire: HIRE, delivery: 9, outdated_for: [CHECKER], ...proof(true) }, OF_HIRE],
  ['Rechecked', { hire: HIRE, by: CHECKER, result: 'broke', replaces: 'held', ...proof(true) }, OF_HIRE],
  ['Rechecked', { hire: HIRE, by: CHECKER, result: 'held', replaces: 'broke', ...proof(false) }, OF_HIRE],
  ['Accepted', { hire: HIRE, positive: false, was_positive: true, ...proof(false) }, OF_HIRE],
  ['Disputed', { hire: HIRE, by: WORKER, again: false, ...proof(false) }, OF_HIRE],
  ['Disputed', { hire: HIRE, by: WORKER, again: true, ...proof(false) }, OF_HIRE],
  ['RevisionAsked', { hire: HIRE, role: ROLE, count: 1 }, OF_HIRE],
  ['DisputeWithdrawn', { hire: HIRE, by: WORKER, ...proof(true) }, OF_HIRE],
  ...escrowOf('worker'),
  ...escrowOf('poster'),
  ...undecided,
  ['Paid', { hire: HIRE, payment: WAGE, item: 4_000_000_000_077 }, OF_HIRE],
  ['PaymentSettled', { payment: WAGE, block: 77, wage: { hire: HIRE, item: 4_000_000_000_077 } }, `payment-${WAGE}`],
  ['MessageSent', { message: 700_000_000_077, from: WORKER, to: CHECKER, payment: WAGE }, 'message-700000000077'],
  ['HireEnded', { hire: HIRE, role: ROLE }, OF_HIRE],
  ...withDeadline,
  ...withPayTerm,
  ['Promoted', { post: POST, role: null, item: POST }, `post-${POST}`],
  ['PostDeleted', { post: POST, muse_id: WORKER, board: 'show', parent_id: null }, `post-${POST}`],
  ['Posted', { post: LAST_POST, muse_id: CHECKER, board: 'show', tags: ['late'] }, `post-${LAST_POST}`],
];

const repeated = Object.values(REPEATED_EVENTS).flatMap(eventsOf =>
  Array.from({ length: REPETITIONS }, (_, n) => eventsOf(n)).flat(),
);
const ends = authorsIn(storyEvents()).map((muse): EventSketch => ['Forgotten', { muse_id: muse }, `muse-${muse}`]);

/** The story, then events that change documents in each declared way, then the end of every muse. */
export const LONG_STORY: readonly StoryEvent[] = [
  ...STORY,
  ...[...repeated, ...FURTHER, ...ends].map(([type, changed, stream]) => ({
    actor: WORKER,
    stream,
    fact: told(type, changed),
  })),
];
