import { Application, ApplicationEdited, Applied } from '#libs/streams/application.js';
import type { EventOf } from '#libs/streams/define.js';
import { taskOfRole } from '#libs/streams/instant.js';
import {
  CANDIDATES_MAX,
  Job,
  JobClosed,
  JobOffered,
  JobPosted,
  JobUpdated,
  type Seat,
  SeatFilled,
  SeatFreed,
  Withdrawn,
  seatsLeft,
  stillApplies,
} from '#libs/streams/job.js';
import { hasEnded } from '#libs/streams/muse.js';
import { commitmentOf } from '#libs/kernel/commitment.js';
import { posterId } from '#libs/kernel/house.js';
import { FEE_PERCENT, percentRoundedUp } from '#libs/kernel/money.js';
import { canonicalJson } from '#libs/signing/canonical-json.js';
import type { Facts } from './facts.js';
import { isFilledByTask } from './instant.js';
import { byActor, byPoster, inStream, on, unless } from './rule.js';

type KnownJob = Exclude<Job, { status: 'unknown' }>;

interface OfRole {
  readonly stream: string;
  readonly data: { readonly role: string };
}

/** A rule on a role that was posted, in the role's own stream. */
function ofJob(event: OfRole, facts: Facts, rule: (job: KnownJob) => readonly string[]): readonly string[] {
  const { role } = event.data;
  const job = facts.job(role);
  if (job.status === 'unknown') return [`The role ${role} was never posted.`];
  return [...unless(inStream(event, Job.named(role))), ...rule(job)];
}

/** The fee was paid, in full, on the job's own rail. The house pays none to itself. */
function feePaid({ poster, budget, seats, payment }: EventOf<typeof JobPosted>['data'], facts: Facts): string[] {
  if (payment === null) return unless([poster === null || budget === null, 'Its fee was not paid.']);
  const state = facts.payment(payment);
  if (state.status !== 'settled' && state.status !== 'applied')
    return [`The fee's payment ${payment} was not settled.`];
  const { amount, rail, muse_id: payer } = state.accepted.data;
  const fee = budget && percentRoundedUp(BigInt(budget.amount) * BigInt(seats), FEE_PERCENT);
  return unless(
    [payer === poster, `Its fee was paid for ${payer}.`],
    [
      fee !== null && BigInt(amount) === fee && rail === budget!.rail,
      `Its fee is ${fee}; ${amount} on ${rail} were paid.`,
    ],
  );
}

/**
 * Whether the job was open, and its worker had applied for it. That of an instant task is open for no moment: the answer
 * that passed the task is both.
 */
function asked({ data, at }: Seat, job: KnownJob, facts: Facts): readonly [inTime: boolean, applied: boolean] {
  const { worker, role, application: item } = data;
  const task = job.poster === null ? taskOfRole(role) : null;
  if (task !== null) return [job.status === 'open' && item === task, isFilledByTask(task, data, facts)];
  const application = facts.application(role, worker);
  const inTime = job.status === 'open' && (job.expiresAt === null || at < job.expiresAt);
  return [inTime, stillApplies(job, application) && application.item === item];
}

/** The seat was free, and its worker had an application for it on the job's own terms. */
function seat(event: Seat, job: KnownJob, facts: Facts): string[] {
  const { worker, role, hire, budget } = event.data;
  const [inTime, applied] = asked(event, job, facts);
  return unless(
    byPoster(event, job.poster),
    [seatsLeft(job) > 0, `All ${job.seats} seats of ${role} are taken already.`],
    [!job.filled.has(worker), `${worker} has a seat of ${role} already.`],
    [inTime, `${role} is closed.`],
    [applied, `${worker} had no application ${event.data.application} for ${role}.`],
    [facts.hire(hire).status === 'unknown', `The hire ${hire} exists already.`],
    [canonicalJson([budget]) === canonicalJson([job.budget]), `Its budget is not that of ${role}.`],
    [event.data.poster === job.poster, `${role} has another poster.`],
  );
}

function closed({ data, actor }: EventOf<typeof JobClosed>, job: KnownJob): string[] {
  // A role of the house may have fewer seats by now than are filled.
  const full = data.closed_reason !== 'filled' || seatsLeft(job) <= 0;
  const poster = data.closed_reason !== 'closed' || actor === posterId(job.poster) || actor === 'operator';
  return unless(
    [job.status === 'open', `${data.role} was closed already.`],
    [full, `${seatsLeft(job)} of its seats are free: it is not filled.`],
    [poster, `${actor} closed it and is not its poster.`],
  );
}

/** Those whom it fits are named once each, and the poster is none of them. Who fits is decided from their own streams. */
function offered({ data }: EventOf<typeof JobOffered>, job: KnownJob): string[] {
  const muses = data.candidates.map(({ muse_id }) => muse_id);
  return unless(
    [job.offered === null, `${data.role} was offered already.`],
    [data.poster === job.poster, `${data.role} has another poster.`],
    [!muses.includes(data.poster), 'It is offered to its own poster.'],
    [new Set(muses).size === muses.length, 'It is offered to somebody twice.'],
    [muses.length <= CANDIDATES_MAX, `It is offered to more than ${CANDIDATES_MAX}.`],
  );
}

/** The note is the one that was committed to, where it is shown with its salt. */
function isCommitted({ note, note_salt: salt, note_commitment }: EventOf<typeof ApplicationEdited>['data']) {
  const is = note === null || salt === null || commitmentOf(salt, note) === note_commitment;
  return [is, 'Its note is not the one that it commits to.'] as const;
}

export const JOB_RULES = [
  on(JobPosted, (event, facts) => {
    const { role, poster } = event.data;
    return [
      ...unless(inStream(event, Job.named(role)), byPoster(event, poster), [
        facts.job(role).status === 'unknown',
        `${role} is posted a second time.`,
      ]),
      ...feePaid(event.data, facts),
    ];
  }),
  on(JobUpdated, (event, facts) =>
    ofJob(event, facts, job =>
      unless(
        [job.poster === null, 'Only roles of the house change.'],
        [!event.data.reopens || job.status === 'closed', 'It opens a role that is not closed.'],
      ),
    ),
  ),
  on(JobOffered, (event, facts) => ofJob(event, facts, job => offered(event, job))),
  on(Applied, (event, facts) => {
    const { role, muse_id: muse } = event.data;
    const job = facts.job(role);
    if (job.status === 'unknown') return [`The role ${role} was never posted.`];
    const own = posterId(job.poster) === muse;
    return unless(
      inStream(event, Application.named(role, muse)),
      byActor(event, muse, 'the applicant'),
      [!own, `${muse} applies to its own job.`],
      isCommitted(event.data),
    );
  }),
  on(ApplicationEdited, (event, facts) => {
    const { role, muse_id: muse } = event.data;
    const applied = facts.application(role, muse).status === 'applied';
    return unless(
      byActor(event, muse, 'the applicant'),
      [applied, `${muse} had not applied to ${role}.`],
      isCommitted(event.data),
    );
  }),
  on(Withdrawn, (event, facts) =>
    ofJob(event, facts, job => {
      const { role, muse_id: muse, application: item } = event.data;
      const application = facts.application(role, muse);
      const applied = stillApplies(job, application) && application.item === item;
      const isEnded = event.actor === 'service' && hasEnded(facts.muse(muse));
      const own = isEnded ? [] : [byActor(event, muse, 'the applicant')];
      return unless(...own, [applied, `${muse} had no application ${item}.`]);
    }),
  ),
  on(SeatFilled, (event, facts) => ofJob(event, facts, job => seat(event, job, facts))),
  on(SeatFreed, (event, facts) =>
    ofJob(event, facts, job => {
      const { worker, hire } = event.data;
      const taken = job.filled.get(worker)?.data.hire === hire;
      const ended = facts.hire(hire).status === 'ended';
      return unless([taken, `The hire ${hire} has no seat here.`], [ended, `The hire ${hire} has not ended.`]);
    }),
  ),
  on(JobClosed, (event, facts) => ofJob(event, facts, job => closed(event, job))),
];
