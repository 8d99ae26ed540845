import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReadModels } from '#libs/documents/read-models.js';
import { page, parameter, type ReadParameters } from '#libs/http/paging.js';
import { Clock } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { rule } from '#libs/kernel/refusal.js';
import { Applications } from '#libs/views/applications.js';
import { shownApplication } from '#libs/views/positions.js';
import { roleRecord, Roles } from '#libs/views/roles.js';
import { summaries } from '#libs/views/summaries.js';

const APPLICATIONS_PAGE = 100;

export class ShowRole extends Query<JsonObject> {
  constructor(
    readonly slug: string,
    readonly query: ReadParameters,
  ) {
    super();
  }
}

/** One role with its applications, oldest first. Notes are public, trial answers are not. */
@QueryHandler(ShowRole)
export class ShowRoleHandler implements IQueryHandler<ShowRole> {
  constructor(
    private readonly models: ReadModels,
    private readonly clock: Clock,
  ) {}

  async execute({ slug, query }: ShowRole): Promise<JsonObject> {
    const found = await this.models.of(Roles).get(slug);
    rule(found !== undefined, 'not_found', 'There is no such role.');
    const { documents, next } = await page(this.models.of(Applications), {
      range: { index: 'byRole', equals: [slug], order: 'asc', limit: APPLICATIONS_PAGE },
      fields: ['opened'],
      cursor: ['after', parameter(query, 'after')],
      keep: ({ status }) => status !== 'withdrawn',
    });
    const role = roleRecord(found.body, this.clock.now());
    const applications = documents.map(({ body }) => shownApplication(body));
    const mentioned = [role.poster, ...role.hired, ...applications.map(({ muse_id }) => muse_id)];
    return { role, applications, next, muses: await summaries(this.models, mentioned) };
  }
}
