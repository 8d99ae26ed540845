import { Injectable } from '@nestjs/common';
import { ReadModels } from '#libs/documents/read-models.js';
import { Job, JobClosed } from '#libs/features/jobs/domain/job.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { skipUnreadable } from '#libs/event-log/unreadable-event.js';
import { Clock } from '#libs/kernel/clock.js';
import { Integers } from '#libs/kernel/ids.js';
import { serviceContext } from '#libs/kernel/decide.js';
import { formatDecidedBy, serviceDecision } from '#libs/endpoints/decision.js';
import { BY_EXPIRY } from '#libs/features/jobs/views/expiring-roles.js';
import { Roles } from '#libs/features/jobs/views/roles.js';

export function expire(job: Job, now: number) {
  if (job.status !== 'open' || job.expiresAt === null || now < job.expiresAt) return [];
  return [JobClosed({ role: job.role, poster: job.poster, closed_reason: 'expired', note: null })];
}

export const expireJob = serviceDecision('expire-job', {
  by: 'service',
  writes: [JobClosed],
  decide: ({ event, own }) => expire(own(Job), event.at),
});

/**
 * Records expired jobs for readers of the log. Rules and reads compare `expires_at` themselves. Also closes a job
 * that a freed seat reopened after its time.
 */
@Injectable()
export class JobExpiry {
  constructor(
    private readonly models: ReadModels,
    private readonly journal: Journal,
    private readonly clock: Clock,
    private readonly integers: Integers,
  ) {}

  async pass(): Promise<void> {
    const now = this.clock.now();
    const roles = await this.models.of(Roles).find(BY_EXPIRY);
    for (const { body } of roles)
      if (body.expires_at !== null && body.expires_at <= now) await skipUnreadable(this.close(body.slug, now));
  }

  private async close(role: string, now: number): Promise<void> {
    const requestKey = `expired/${role}`;
    const context = serviceContext({
      at: now,
      requestKey,
      cause: requestKey,
      decidedBy: formatDecidedBy(expireJob),
      reason: 'the job has expired',
      integers: this.integers,
    });
    await executeCommand(this.journal, context, { writes: Job.source(role), decide: job => expire(job, now) });
  }
}
