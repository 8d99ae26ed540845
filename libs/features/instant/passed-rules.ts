import type { Fact } from '#libs/kernel/event.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { Accepted, Delivered, Hire, Hired, hasDelivery, partiesOf } from '#libs/features/hires/domain/hire.js';
import { type AnsweredTask, Instant, type InstantTask, InstantTaskAnswered } from './domain/instant.js';
import { addressOfTask, roleOfTask, taskOfRole } from '#libs/features/jobs/domain/instant-names.js';
import { Job, JobClosed, JobPosted, SeatFilled } from '#libs/features/jobs/domain/job.js';
import { proofAfter, proofOfDelivery } from '#libs/features/hires/domain/proof.js';
import {
  defineDecision,
  assertInStream,
  assertAudit,
  PLACEHOLDER_IDS,
  type ReplayedDecision,
} from '#libs/endpoints/decision.js';
import { followsFrom, followUp } from '#libs/endpoints/follow-ups.js';
import type { EventOf } from '#libs/domain/define.js';
import { completeFields } from '#libs/domain/fields.js';
import { JOB_TEXTS } from '#libs/features/jobs/domain/job-fields.js';
import type { Ids } from '#libs/kernel/ids.js';

/** A task that anyone can answer proves no skills. */
const NO_SKILLS: string[] = [];

/**
 * Posts the role already expired, so it takes no applications. The task replaces the application, and the digest of
 * the answer, without a salt, replaces the note commitment.
 */
export function fillTaskRoleAtOnce(job: Job, task: InstantTask, ids: Pick<Ids, 'item'>): Fact[] {
  const { answered } = task;
  if (job.status !== 'unknown' || !answered) return [];
  const { hire, digest, muse_id: worker } = answered.data;
  const basis = { role: roleOfTask(task.task), poster: null, project: null, skills: NO_SKILLS, budget: null };
  const { role, poster } = basis;
  return [
    JobPosted({
      ...basis,
      item: ids.item('job'),
      ...completeFields(JOB_TEXTS, {
        title: `Instant task: ${task.kind}`,
        summary: `${task.prompt} ${JSON.stringify(task.input)}`,
        done: 'The right answer, checked at once',
      }),
      seats: 1,
      payment: null,
      again_of: null,
      expires_at: answered.at,
    }),
    SeatFilled({
      ...basis,
      wage: null,
      ask_salt: null,
      hire: hire!,
      item: ids.item('hired'),
      worker,
      crew: null,
      applied_at: task.issuedAt,
      application: task.task,
      note_commitment: digest!,
    }),
    JobClosed({ role, poster, closed_reason: 'filled', note: null }),
  ];
}

export function deliverTaskAnswer(hire: Hire, { task }: Pick<InstantTask, 'task'>): Fact[] {
  if (hire.status !== 'hired') return [];
  const delivery = { delivery: 1, url: addressOfTask(task), post: null, note: null };
  return [Delivered({ ...partiesOf(hire), ...delivery, ...proofOfDelivery(hire) })];
}

export function acceptTaskAnswer(hire: Hire): Fact[] {
  if (!hasDelivery(hire) || hire.status !== 'delivered' || hire.acceptance) return [];
  const proof = proofAfter(hire, { isPositive: true });
  return [
    Accepted({ ...partiesOf(hire), by: SYSTEM_ACCOUNT_ID, note: null, positive: true, was_positive: null, ...proof }),
  ];
}

/** Checks that the event follows from a passed task, with the answer's time. */
function requirePassedTask({ event, read }: ReplayedDecision, actor: 'muse' | 'house' = 'house'): InstantTask {
  const stream = Object.keys(event.based_on).find(name => name.startsWith(`${Instant.category}-`));
  assertAudit(stream !== undefined, 'It names no instant task.');
  const task = read({ stream, entity: Instant }).tasks.get(taskOfRole(roleOf(event)) ?? 0);
  const { answered } = task ?? { answered: null };
  assertAudit(task !== undefined && answered?.data.passed === true, 'The task that it depends on was not passed.');
  assertAudit(event.cause === answered.id && event.at === answered.at, 'Its cause or time differs from the answer.');
  const [author, mode] =
    actor === 'muse' ? [answered.actor, answered.authorization.mode] : [SYSTEM_ACCOUNT_ID, 'service'];
  assertAudit(event.actor === author, 'Its actor is wrong.');
  assertAudit(event.authorization.mode === mode, 'Its authorization differs from the answer.');
  return task;
}

const roleOf = ({ data }: ReplayedDecision['event']) => (data as { readonly role: string }).role;

export const fillTaskRole = defineDecision('fill-task-role', {
  by: 'service',
  actor: SYSTEM_ACCOUNT_ID,
  writes: [JobPosted, SeatFilled, JobClosed],
  follows: followsFrom(InstantTaskAnswered, ({ data: { muse_id, task: id, passed } }: AnsweredTask) =>
    passed
      ? followUp(Job.source(roleOfTask(id)), (job, read) =>
          fillTaskRoleAtOnce(job, read(Instant.source(muse_id)).tasks.get(id)!, PLACEHOLDER_IDS),
        )
      : null,
  ),
  decide(decision) {
    assertInStream(decision.event, Job.streamName(roleOf(decision.event)));
    return fillTaskRoleAtOnce(decision.own(Job), requirePassedTask(decision), decision.context.ids);
  },
});

export const deliverAnswer = defineDecision('deliver-answer', {
  writes: [Delivered],
  causes: [InstantTaskAnswered],
  follows: followsFrom(Hired, ({ data: { role, poster, hire } }: EventOf<typeof Hired>) => {
    const task = poster === null ? taskOfRole(role) : null;
    return task === null ? null : followUp(Hire.source(hire), state => deliverTaskAnswer(state, { task }));
  }),
  decide: decision => deliverTaskAnswer(decision.own(Hire), requirePassedTask(decision, 'muse')),
});

export const acceptAnswer = defineDecision('accept-answer', {
  by: 'service',
  actor: SYSTEM_ACCOUNT_ID,
  writes: [Accepted],
  causes: [InstantTaskAnswered],
  follows: followsFrom(Delivered, ({ data: { role, poster, hire } }: EventOf<typeof Delivered>) =>
    poster === null && taskOfRole(role) !== null ? followUp(Hire.source(hire), acceptTaskAnswer) : null,
  ),
  decide(decision) {
    requirePassedTask(decision);
    return acceptTaskAnswer(decision.own(Hire));
  },
});
