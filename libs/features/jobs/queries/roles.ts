import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ReadModels } from '#libs/documents/read-models.js';
import { limitOf, page, parameter, type ReadParameters } from '#libs/http/paging.js';
import { Clock } from '#libs/kernel/clock.js';
import { HOUSE_ID, posterId } from '#libs/kernel/house.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { isOpenRole, type RoleDocument, roleRecord, Roles } from '#libs/views/roles.js';
import { summaries } from '#libs/views/summaries.js';

export class ListRoles extends Query<JsonObject> {
  constructor(readonly query: ReadParameters) {
    super();
  }
}

/** The open roles, those of the house first, then the newest; with `all=1` the closed ones too. */
@QueryHandler(ListRoles)
export class ListRolesHandler implements IQueryHandler<ListRoles> {
  constructor(
    private readonly models: ReadModels,
    private readonly clock: Clock,
  ) {}

  async execute({ query }: ListRoles): Promise<JsonObject> {
    const now = this.clock.now();
    const { documents, next } = await page(this.models.of(Roles), {
      ...listing(query),
      cursor: ['after', parameter(query, 'after')],
      keep: filter(query, now),
    });
    const roles = documents.map(({ body }) => roleRecord(body, now));
    return {
      roles,
      next,
      muses: await summaries(
        this.models,
        roles.flatMap(({ poster, hired }) => [poster, ...hired]),
      ),
    };
  }
}

/** The index that serves the narrowest of the filters. */
function listing(query: ReadParameters) {
  const [poster, project, all] = ['poster', 'project', 'all'].map(name => parameter(query, name));
  const range = { order: 'desc', limit: limitOf(query) } as const;
  const fields = (...names: (keyof RoleDocument & string)[]) => names;
  if (poster === HOUSE_ID) return { range: { ...range, index: 'all', equals: [true] }, fields: fields('opened') };
  if (poster) return { range: { ...range, index: 'byPoster', equals: [poster] }, fields: fields('opened') };
  if (project) return { range: { ...range, index: 'byProject', equals: [project] }, fields: fields('opened') };
  if (all === '1') return { range: { ...range, index: 'all', equals: [] }, fields: fields('house', 'opened') };
  return { range: { ...range, index: 'open', equals: [false] }, fields: fields('house', 'opened') };
}

function filter(query: ReadParameters, now: number): (role: RoleDocument) => boolean {
  const [skill, poster, project, all] = ['skill', 'poster', 'project', 'all'].map(name => parameter(query, name));
  return role =>
    (all === '1' || isOpenRole(role, now)) &&
    (!skill || role.skills.includes(skill.toLowerCase())) &&
    (!poster || posterId(role.poster) === poster) &&
    (!project || role.project === project);
}
