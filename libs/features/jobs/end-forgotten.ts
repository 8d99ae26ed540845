import { iterateByOpening } from '#libs/documents/iterate-pages.js';
import type { Event } from '#libs/kernel/event.js';
import { Application, Applied } from './domain/application.js';
import { Job, JobClosed, JobPosted, SeatFreed, isOpenApplication, Withdrawn } from './domain/job.js';
import { Forgotten, isForgottenOrLinked, Linked, Muse } from '#libs/domain/muse.js';
import { EndOfMuse } from '#libs/endpoints/end-of-muse.js';
import { defineServiceCommand } from '#libs/endpoints/service-commands.js';
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
  causes: [Forgotten, Linked, JobPosted, SeatFreed],
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
  causes: [Forgotten, Linked, Applied],
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

/** Also ends jobs that a freed seat reopens. */
export class EndForgotten extends EndOfMuse<PosterJob | ApplicantJob> {
  readonly name = 'end_forgotten';
  readonly types = [Forgotten.type, Linked.type, JobPosted.type, SeatFreed.type, Applied.type];
  readonly projections = [Roles, Applications];

  begunBy(event: Event) {
    const { role, poster, muse_id } = event.data as NewWork;
    if (muse_id !== undefined) return [[muse_id, { role, muse_id }]] as const;
    return poster === null ? [] : ([[poster, { role, poster }]] as const);
  }

  async *listThings(muse: string) {
    for await (const roles of iterateByOpening(this.models.of(Roles), 'byPoster', muse))
      for (const { closed, slug } of roles) if (!closed) yield { role: slug, poster: muse };
    for await (const applications of iterateByOpening(this.models.of(Applications), 'byMuse', muse))
      for (const { status, role } of applications) if (status === 'applied') yield { role, muse_id: muse };
  }

  end({ id: cause }: Event, job: PosterJob | ApplicantJob) {
    return 'poster' in job
      ? this.commands.execute(closeForgotten, job, { cause })
      : this.commands.execute(withdrawForgotten, job, { cause });
  }
}
