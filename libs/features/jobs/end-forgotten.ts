import { iterateByOpening } from '#libs/documents/iterate-pages.js';
import type { EventOf } from '#libs/domain/define.js';
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

type NewWork = EventOf<typeof JobPosted>['data'] | EventOf<typeof SeatFreed>['data'];

const closeForgotten = defineServiceCommand('close-forgotten', {
  reason: REASON,
  events: [JobClosed],
  follows: {
    after: [JobPosted, SeatFreed],
    about(event) {
      const { role, poster } = event.data as NewWork;
      return poster === null ? [] : [{ role, poster }];
    },
    endsWith: { types: [Forgotten, Linked], museOf: ({ poster }) => poster },
  },
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
  follows: {
    after: [Applied],
    about: event => {
      const { role, muse_id } = (event as EventOf<typeof Applied>).data;
      return [{ role, muse_id }];
    },
    endsWith: { types: [Forgotten, Linked], museOf: ({ muse_id }) => muse_id },
  },
  writes: ({ role }: ApplicantJob) => Job.source(role),
  reads: ({ role, muse_id }) => ({ application: Application.source(role, muse_id), applicant: Muse.source(muse_id) }),
  decide(job, { application, applicant }) {
    if (job.status === 'unknown' || !isForgottenOrLinked(applicant) || !isOpenApplication(job, application)) return [];
    const { role, poster } = job;
    return [Withdrawn({ role, muse_id: application.muse, poster, application: application.item })];
  },
});

export const endingDecisions = [closeForgotten, withdrawForgotten];

/** Also ends jobs that a freed seat reopens. */
export class EndForgotten extends EndOfMuse {
  readonly name = 'end_forgotten';
  readonly projections = [Roles, Applications];
  readonly endings = [
    this.ending(closeForgotten, poster => this.listJobs(poster)),
    this.ending(withdrawForgotten, muse => this.listApplications(muse)),
  ];

  private async *listJobs(poster: string) {
    for await (const roles of iterateByOpening(this.models.of(Roles), 'byPoster', poster))
      for (const { closed, slug: role } of roles) if (!closed) yield { role, poster };
  }

  private async *listApplications(muse_id: string) {
    for await (const applications of iterateByOpening(this.models.of(Applications), 'byMuse', muse_id))
      for (const { status, role } of applications) if (status === 'applied') yield { role, muse_id };
  }
}
