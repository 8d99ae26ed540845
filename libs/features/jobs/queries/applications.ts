import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReadModels } from '#libs/documents/read-models.js';
import { Application } from '#libs/streams/application.js';
import { Job } from '#libs/streams/job.js';
import { Journal } from '#libs/event-log/journal.js';
import { Pattern, Slug, Text } from '#libs/http/fields.js';
import { limitOf, page } from '#libs/http/paging.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import { posterId } from '#libs/kernel/house.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import { Applications } from '#libs/views/applications.js';
import { shownApplication } from '#libs/views/positions.js';
import { summaries } from '#libs/views/summaries.js';

export class ApplicationsDto {
  @Slug({ required: true }) role!: string;
  @Text({ max: 500 }) after?: string;
  @Pattern(/^[0-9]{1,9}$/, 'a whole number from 1 on') limit?: string;
}

export class ListApplications extends Query<Answer> {
  constructor(
    readonly dto: ApplicationsDto,
    readonly context: Context,
  ) {
    super();
  }
}

/** The applications for one's own job with their trial answers, which nobody else sees: they stand in no document. */
@QueryHandler(ListApplications)
export class ListApplicationsHandler implements IQueryHandler<ListApplications> {
  constructor(
    private readonly models: ReadModels,
    private readonly journal: Journal,
  ) {}

  async execute({ dto, context }: ListApplications): Promise<Answer> {
    const { state: job, events } = await this.journal.load(Job.of(dto.role));
    if (job.status === 'unknown') throw new Refusal('not_found', 'There is no such role.', { field: 'role' });
    rule(posterId(job.poster) === context.actor, 'not_the_poster', 'Only the poster of a job reads its applications.');
    const { documents, next } = await page(this.models.of(Applications), {
      range: { index: 'byRole', equals: [dto.role], order: 'asc', limit: limitOf({ limit: dto.limit }) },
      fields: ['opened'],
      cursor: ['after', dto.after || undefined],
      keep: ({ status }) => status !== 'withdrawn',
    });
    const applications = await Promise.all(
      documents.map(async ({ body }) => ({
        ...shownApplication(body),
        trial_answer: await this.trialAnswer(dto.role, body.muse_id),
      })),
    );
    const muses = await summaries(
      this.models,
      applications.map(({ muse_id }) => muse_id),
    );
    return { position: events.at(-1)!.position, body: { applications, next, muses } };
  }

  private async trialAnswer(role: string, museId: string): Promise<string | null> {
    const { state } = await this.journal.load(Application.of(role, museId));
    return state.status === 'applied' ? state.trialAnswer : null;
  }
}
