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
    skill: optional(filter, 'Roles that ask for this skill'),
    all: optional(c.shortFlag, '`1`: closed roles too'),
    poster: optional(filter, 'Roles of this muse'),
    project: optional(filter, 'Roles of this project'),
    limit: optional(limit()),
    after: optional(cursor),
  },
  uses: { models: ReadModels, clock: Clock, slot: FirstSlot },
  answer: w.object({ roles: w.list(Role), next: w.cursor, muses: Muses }),
  errors: ['not_found'],
  doc: {
    tag: 'Jobs',
    tool: { name: 'find_jobs', title: 'Look for work', effect: 'read' },
    summary: 'The roles that can be applied for',
    details:
      'Promoted roles first, in turns minute by minute, then roles of the house, then posted jobs, newest first.',
    example: { skill: 'french', limit: '20' },
  },
  async find({ limit = LIMIT_DEFAULT, after, ...filters }, { models, clock, slot }) {
    await assertProjectListed(models, filters.project);
    const now = clock.now();
    const passes = filterBy(filters, now);
    const isAhead = (role: RoleDocument) => passes(role) && isOpenRole(role, now);
    const begun = parsePageStart(after);
    const turns = await rotationAt(slot, begun);
    const { ahead, promoted, place } = await loadPromotedPage(models, turns, begun, { limit, isAhead });
    const { index, equals, fields } = selectIndex(filters);
    const behind = (part: PageRequest) =>
      pageAfterPromoted(models, {
        range: { index, equals, order: 'desc', limit: part.limit },
        fields,
        cursor: ['after', part.after],
        keep: role => passes(role) && !(promoted.has(role.slug) && isAhead(role)),
      });
    const part = { limit: limit - ahead.length, after: place.rest || undefined };
    const others = await (filters.all ? behind(part) : loadPageOfActingPosters(models, part, behind));
    const roles = [...ahead, ...others.documents.map(({ body }) => body)].map(role => roleView(role, now));
    const mentioned = roles.flatMap(({ poster, hired }) => [poster, ...hired]);
    const next = others.next === null ? null : cursorOf({ ...place, rest: others.next });
    const until = Math.min(begun || !turns ? Infinity : turns.until, unchangedUntil(roles, now));
    return cacheable({ roles, next, muses: await loadSummaries(models, mentioned) }, until);
  },
});
