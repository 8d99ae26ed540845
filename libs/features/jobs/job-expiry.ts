import { Injectable } from '@nestjs/common';
import { ReadModels } from '#libs/documents/read-models.js';
import { Job, JobClosed, seatsLeft } from './domain/job.js';
import { skipUnreadable } from '#libs/event-log/unreadable-event.js';
import { defineServiceCommand, ServiceCommands } from '#libs/endpoints/service-commands.js';
import { BY_EXPIRY } from './views/expiring-roles.js';
import { Roles } from './views/roles.js';

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
@Injectable()
export class JobExpiry {
  constructor(
    private readonly models: ReadModels,
    private readonly commands: ServiceCommands,
  ) {}

  async pass(): Promise<void> {
    const { clock } = this.commands;
    if (clock.isSteady?.() === false) return;
    const at = clock.now();
    const roles = await this.models.of(Roles).find(BY_EXPIRY);
    for (const { body } of roles) {
      const { expires_at, slug: role } = body;
      if (expires_at === null || expires_at > at) continue;
      await skipUnreadable(this.commands.execute(expireJob, { role }, { cause: `expired/${role}`, at }));
    }
  }
}
