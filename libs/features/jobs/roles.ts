import { optional } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cacheable } from '#libs/http/response-cache.js';
import { cursor, limit, LIMIT_DEFAULT } from '#libs/http/paging.js';
import { Clock } from '#libs/kernel/clock.js';
import { defineQuery } from '#libs/endpoints/query.js';
import { type PageRequest, loadPageOfActingPosters } from '#libs/features/jobs/views/acting-posters.js';
import { FirstSlot } from '#libs/features/feed/views/first-slot.js';
import { isOpenRole, type RoleDocument, roleView, unchangedUntil } from '#libs/features/jobs/views/roles.js';
import { Muses } from '#libs/features/profile/views/muse.shape.js';
import { Role } from '#libs/features/jobs/views/role.shape.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { loadSummaries } from '#libs/features/profile/views/summaries.js';
import { cursorOf, pageAfterPromoted, parsePageStart, loadPromotedPage, rotationAt } from './promoted-roles.js';
import { selectIndex, assertProjectListed, filterBy } from './role-filters.js';

const filter = c.text({ max: 500 });

export const roles = defineQuery('roles', {
  path: '/api/roles',
  query: {
    skill: optional(filter, 'Only roles that require this skill'),
    all: optional(c.shortFlag, '`1`: include closed roles'),
    poster: optional(filter, 'Only roles of this poster'),
    project: optional(filter, 'Only roles of this project'),
    limit: optional(limit()),
    after: optional(cursor),
  },
  uses: { models: ReadModels, clock: Clock, slot: FirstSlot },
  answer: w.object({ roles: w.list(Role), next: w.cursor, muses: Muses }),
  errors: ['not_found'],
  doc: {
    tag: 'Jobs',
    tool: { name: 'find_jobs', title: 'Find jobs', effect: 'read' },
    summary: 'Get jobs',
    details:
      'Lists the jobs and house roles you can apply for. Promoted roles come first, rotated every minute, then roles of ' +
      'the house, then posted jobs, newest first.',
    example: { skill: 'french', limit: '20' },
  },
  async find({ limit = LIMIT_DEFAULT, after, ...filters }, { models, clock, slot }) {
    await assertProjectListed(models, filters.project);
    const now = clock.now();
    const passes = filterBy(filters, now);
    const isAhead = (role: RoleDocument) => passes(role) && isOpenRole(role, now);
    const start = parsePageStart(after);
    const rotation = await rotationAt(slot, start);
    const { ahead, promoted, place } = await loadPromotedPage(models, rotation, start, { limit, isAhead });
    const { index, equals, fields } = selectIndex(filters);
    const loadRest = (part: PageRequest) =>
      pageAfterPromoted(models, {
        range: { index, equals, order: 'desc', limit: part.limit },
        fields,
        cursor: ['after', part.after],
        keep: role => passes(role) && !(promoted.has(role.slug) && isAhead(role)),
      });
    const part = { limit: limit - ahead.length, after: place.rest || undefined };
    const rest = await (filters.all ? loadRest(part) : loadPageOfActingPosters(models, part, loadRest));
    const roles = [...ahead, ...rest.documents.map(({ body }) => body)].map(role => roleView(role, now));
    const museIds = roles.flatMap(({ poster, hired }) => [poster, ...hired]);
    const next = rest.next === null ? null : cursorOf({ ...place, rest: rest.next });
    const until = Math.min(start || !rotation ? Infinity : rotation.until, unchangedUntil(roles, now));
    return cacheable({ roles, next, muses: await loadSummaries(models, museIds) }, until);
  },
});
