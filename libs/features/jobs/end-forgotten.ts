import { Injectable } from '@nestjs/common';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { iterateByOpening } from '#libs/documents/iterate-pages.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { UnreadableSkipper } from '#libs/event-log/unreadable-event.js';
import type { Event, Position } from '#libs/kernel/event.js';
import { Application, Applied } from './domain/application.js';
import { isEventOf } from '#libs/domain/define.js';
import { Job, JobClosed, JobPosted, SeatFreed, isOpenApplication, Withdrawn } from './domain/job.js';
import { Forgotten, isForgottenOrLinked, Linked, Muse } from '#libs/domain/muse.js';
import { defineServiceCommand, ServiceCommands } from '#libs/endpoints/service-commands.js';
import { Applications } from './views/applications.js';
import { Roles } from './views/roles.js';

const REASON = 'its muse is forgotten or linked to another identity';

interface PosterJob {
  readonly role: string;
  readonly poster: string;
}
interface ApplicantJob {
  readonly role: string;
  readonly muse_id: string;
}

const closeForgotten = defineServiceCommand('close-forgotten', {
  reason: REASON,
  events: [JobClosed],
  writes: ({ role }: PosterJob) => Job.source(role),
  reads: ({ poster }) => ({ poster: Muse.source(poster) }),
  decide(job, { poster }) {
    if (job.status !== 'open' || !isForgottenOrLinked(poster)) return [];
    return [JobClosed({ role: job.role, poster: job.poster, closed_reason: 'removed', note: null })];
  },
});

const withdrawForgotten = defineServiceCommand('withdraw-forgotten', {
  reason: REASON,
  events: [Withdrawn],
  writes: ({ role }: ApplicantJob) => Job.source(role),
  reads: ({ role, muse_id }) => ({ application: Application.source(role, muse_id), applicant: Muse.source(muse_id) }),
  decide(job, { application, applicant }) {
    if (job.status === 'unknown' || !isForgottenOrLinked(applicant) || !isOpenApplication(job, application)) return [];
    const { role, poster } = job;
    return [Withdrawn({ role, muse_id: application.muse, poster, application: application.item })];
  },
});

export const endingDecisions = [closeForgotten, withdrawForgotten];

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
    private readonly commands: ServiceCommands,
    private readonly models: ReadModels,
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
    return isForgottenOrLinked((await this.commands.journal.load(Muse.source(muse), position)).state);
  }

  private async endAll(event: Event, muse: string): Promise<void> {
    await this.models.waitUntilReached(event.position, [Roles, Applications]);
    const skipper = new UnreadableSkipper();
    for await (const roles of iterateByOpening(this.models.of(Roles), 'byPoster', muse))
      for (const { closed, slug } of roles)
        if (!closed) await skipper.run(this.close(event, { role: slug, poster: muse }));
    for await (const applications of iterateByOpening(this.models.of(Applications), 'byMuse', muse))
      for (const { status, role } of applications)
        if (status === 'applied') await skipper.run(this.withdraw(event, { role, muse_id: muse }));
    skipper.end();
  }

  private async close({ id: cause }: Event, job: PosterJob): Promise<void> {
    await this.commands.execute(closeForgotten, job, { cause, name: this.name });
  }

  private async withdraw({ id: cause }: Event, job: ApplicantJob): Promise<void> {
    await this.commands.execute(withdrawForgotten, job, { cause, name: this.name });
  }
}
