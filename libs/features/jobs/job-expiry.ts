import { Job, JobClosed, seatsLeft } from './domain/job.js';
import { DueClock } from '#libs/endpoints/due-work.js';
import { defineServiceCommand } from '#libs/endpoints/service-commands.js';
import { BY_EXPIRY } from './views/expiring-roles.js';
import { type RoleDocument, Roles } from './views/roles.js';

export function expire(job: Job, now: number) {
  if (job.status !== 'open' || job.expiresAt === null || now < job.expiresAt) return [];
  const { role, poster } = job;
  return [JobClosed({ role, poster, closed_reason: 'expired', note: null, seats_left: seatsLeft(job) })];
}

export const expireJob = defineServiceCommand('expire-job', {
  reason: 'the job has expired',
  events: [JobClosed],
  causes: ['expired/<role>'],
  writes: ({ role }: { readonly role: string }) => Job.source(role),
  decide: (job, _reads, _about, { at }) => expire(job, at),
});

/**
 * Records expired jobs for readers of the log. Rules and reads compare `expires_at` themselves. Also closes a job
 * that a freed seat reopened after its time.
 */
export class JobExpiry extends DueClock<RoleDocument> {
  protected readonly projection = Roles;
  protected override readonly range = BY_EXPIRY;

  override dueAt({ expires_at }: RoleDocument) {
    return expires_at;
  }

  act({ slug: role }: RoleDocument, at: number) {
    return this.commands.execute(expireJob, { role }, { cause: `expired/${role}`, at });
  }
}
