import { Injectable } from '@nestjs/common';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { iterateByOpening } from '#libs/documents/iterate-pages.js';
import { waitForReadModels } from '#libs/documents/wait-for-read-models.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { UnreadableSkipper } from '#libs/event-log/unreadable-event.js';
import { Clock } from '#libs/kernel/clock.js';
import type { Event, Fact, Position } from '#libs/kernel/event.js';
import { Integers } from '#libs/kernel/ids.js';
import { becauseOf } from '#libs/kernel/decide.js';
import { Application, Applied } from '#libs/features/jobs/domain/application.js';
import { isEventOf } from '#libs/domain/define.js';
import { Job, JobClosed, JobPosted, SeatFreed, isOpenApplication, Withdrawn } from '#libs/features/jobs/domain/job.js';
import { Forgotten, isForgottenOrLinked, Linked, Muse } from '#libs/domain/muse.js';
import { type Decision, formatDecidedBy, serviceDecision } from '#libs/endpoints/decision.js';
import { Applications } from '#libs/features/jobs/views/applications.js';
import { Roles } from '#libs/features/jobs/views/roles.js';

const REASON = 'its muse is forgotten or linked to another identity';

export function closeOrphaned(job: Job, poster: Muse): Fact[] {
  if (job.status !== 'open' || !isForgottenOrLinked(poster)) return [];
  return [JobClosed({ role: job.role, poster: job.poster, closed_reason: 'removed', note: null })];
}

export function withdrawOrphaned(job: Job, application: Application, applicant: Muse): Fact[] {
  if (job.status === 'unknown' || !isForgottenOrLinked(applicant) || !isOpenApplication(job, application)) return [];
  const { role, poster } = job;
  return [Withdrawn({ role, muse_id: application.muse, poster, application: application.item })];
}

const closeForgotten = serviceDecision('close-forgotten', {
  by: 'service',
  writes: [JobClosed],
  decide: ({ event, own, read }) => closeOrphaned(own(Job), read(Muse.source((event.data as PosterJob).poster))),
});

const withdrawForgotten = serviceDecision('withdraw-forgotten', {
  by: 'service',
  writes: [Withdrawn],
  decide({ event, own, read }) {
    const { role, muse_id } = event.data as ApplicantJob;
    return withdrawOrphaned(own(Job), read(Application.source(role, muse_id)), read(Muse.source(muse_id)));
  },
});

export const endingDecisions = [closeForgotten, withdrawForgotten];

interface PosterJob {
  readonly role: string;
  readonly poster: string;
}
interface ApplicantJob {
  readonly role: string;
  readonly muse_id: string;
}

interface NewWork {
  readonly role: string;
  readonly poster: string | null;
  readonly muse_id?: string;
}

/**
 * Also ends jobs and applications that were made while their muse was forgotten or linked, and jobs that a freed seat
 * reopens.
 */
@Injectable()
export class EndForgotten implements Reaction {
  readonly name = 'end_forgotten';
  readonly types = [Forgotten.type, Linked.type, JobPosted.type, SeatFreed.type, Applied.type];

  constructor(
    private readonly journal: Journal,
    private readonly models: ReadModels,
    private readonly clock: Clock,
    private readonly integers: Integers,
  ) {}

  async react(event: Event): Promise<void> {
    if (isEventOf(Forgotten, event) || isEventOf(Linked, event)) return this.endAll(event, event.data.muse_id);
    const { role, poster, muse_id = poster } = event.data as NewWork;
    if (muse_id === null || !(await this.wasForgottenOrLinked(muse_id, event.position))) return;
    if (isEventOf(Applied, event)) await this.withdraw(event, { role, muse_id });
    else await this.close(event, { role, poster: muse_id });
  }

  /** Reads the state at the event: the reaction to `Forgotten` or `Linked` ends everything older. */
  private async wasForgottenOrLinked(muse: string, position: Position): Promise<boolean> {
    return isForgottenOrLinked((await this.journal.load(Muse.source(muse), position)).state);
  }

  private async endAll(event: Event, muse: string): Promise<void> {
    const models = await waitForReadModels(this.models, event.position, Roles, Applications);
    const skipper = new UnreadableSkipper();
    for await (const roles of iterateByOpening(models.of(Roles), 'byPoster', muse))
      for (const { closed, slug } of roles)
        if (!closed) await skipper.run(this.close(event, { role: slug, poster: muse }));
    for await (const applications of iterateByOpening(models.of(Applications), 'byMuse', muse))
      for (const { status, role } of applications)
        if (status === 'applied') await skipper.run(this.withdraw(event, { role, muse_id: muse }));
    skipper.end();
  }

  private async close(event: Event, { role, poster }: PosterJob): Promise<void> {
    await executeCommand(this.journal, this.context(event, closeForgotten), {
      writes: Job.source(role),
      reads: { poster: Muse.source(poster) },
      decide: (job, states) => closeOrphaned(job, states.poster),
    });
  }

  private async withdraw(event: Event, { role, muse_id }: ApplicantJob): Promise<void> {
    await executeCommand(this.journal, this.context(event, withdrawForgotten), {
      writes: Job.source(role),
      reads: { application: Application.source(role, muse_id), applicant: Muse.source(muse_id) },
      decide: (job, { application, applicant }) => withdrawOrphaned(job, application, applicant),
    });
  }

  private context({ id }: Event, decision: Decision) {
    return becauseOf(id, this.name, {
      at: this.clock.now(),
      decidedBy: formatDecidedBy(decision),
      reason: REASON,
      integers: this.integers,
    });
  }
}
