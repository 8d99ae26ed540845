import { type Asked, type Judged, mustHold } from '#libs/verbs/decision.js';
import { Application, ApplicationEdited, Applied } from '#libs/streams/application.js';
import type { EventOf } from '#libs/streams/define.js';
import { Job, JobClosed, JobPosted, JobUpdated, Withdrawn } from '#libs/streams/job.js';
import { Apply, ApplyDto, apply } from '#libs/features/jobs/commands/apply.js';
import { Close, CloseDto, close } from '#libs/features/jobs/commands/close.js';
import { postJob } from '#libs/features/jobs/commands/job.js';
import { Withdraw, WithdrawDto, withdraw } from '#libs/features/jobs/commands/withdraw.js';
import { expire } from '#libs/features/jobs/expiry.js';
import { keepRole, removeRole } from '#libs/features/jobs/house/house-roles.js';
import type { HouseRoleDto } from '#libs/features/jobs/house/roles-file.js';
import { feeOf, PostJobDto } from '#libs/features/jobs/job-terms.js';
import { validate } from '#libs/http/validate.js';
import type { Fact } from '#libs/kernel/event.js';
import { RAILS } from '#libs/payments/rails.js';
import { effect, own, request } from './request.js';
import { shown } from '#libs/verbs/decision.js';

/** The slugs of agents' jobs; those of the house are named in its file. */
const DERIVED_SLUG = /^job-[0-9]{12}$/;

const roleOf = ({ event }: Asked) => (event.data as { readonly role: string }).role;

/** The slug ends in an integer that the vault derives, so it is the event's; that nothing stood there is decided. */
function posted(asked: Asked, dto: PostJobDto, payment: string | null): Fact[] {
  const fee = feeOf(dto, RAILS);
  mustHold((fee === null) === (payment === null), 'A job with a budget, and no other, has paid a fee.');
  mustHold(DERIVED_SLUG.test(roleOf(asked)), 'The slug of a job is derived from its request.');
  return postJob(asked.own(Job), dto, asked.context, { role: roleOf(asked), fee, payment });
}

/** What the house's file must have said. */
function houseRole({ event }: Asked): HouseRoleDto {
  const { data } = event as EventOf<typeof JobPosted>;
  const { budget, seats, skills, trial, terms } = data;
  return {
    ...{ slug: data.role, title: shown(data.title), summary: shown(data.summary), done: shown(data.done) },
    ...{ skills: skills.join(','), seats: String(seats), trial: trial ?? '', terms: terms ?? '' },
    ...(budget && { budget: budget.amount, rail: budget.rail }),
  };
}

export const JOB_DECISIONS: readonly Judged[] = [
  request('job', {
    ...{ dto: PostJobDto, writes: [JobPosted], caller: 'joined' },
    stream: (_dto, asked) => Job.named(roleOf(asked)),
    decide: (dto, asked) => posted(asked, dto, null),
  }),
  effect('job', {
    writes: [JobPosted],
    stream: (_payment, asked) => Job.named(roleOf(asked)),
    decide: ({ accepted }, asked) =>
      posted(asked, validate(PostJobDto, shown(accepted.data.fields)).dto, accepted.data.payment),
  }),
  own('keep-house-role', 'operator', [JobPosted, JobUpdated], asked =>
    keepRole(asked.own(Job), houseRole(asked), RAILS, asked.context),
  ),
  own('remove-house-role', 'operator', [JobClosed], ({ own: state }) => removeRole(state(Job))),
  own('expire-job', 'service', [JobClosed], ({ event, own: state }) => expire(state(Job), event.at)),
  request('apply', {
    ...{ dto: ApplyDto, writes: [Applied, ApplicationEdited], caller: 'joined' },
    stream: ({ role }, { event }) => Application.named(role, event.actor),
    decide: (dto, { context, own: state, other }) =>
      apply(state(Application), other(Job.named(dto.role), Job), new Apply(dto, context)),
  }),
  request('withdraw', {
    ...{ dto: WithdrawDto, writes: [Withdrawn], caller: 'joined' },
    stream: ({ role }) => Job.named(role),
    decide: (dto, { context, own: state, other, event }) =>
      withdraw(state(Job), other(Application.named(dto.role, event.actor), Application), new Withdraw(dto, context)),
  }),
  request('close', {
    ...{ dto: CloseDto, writes: [JobClosed], caller: 'joined' },
    stream: ({ role }) => Job.named(role),
    decide: (dto, { context, own: state }) => close(state(Job), new Close(dto, context)),
  }),
];
