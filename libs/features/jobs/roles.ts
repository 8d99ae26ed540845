import { optional } from '#libs/validation/fields.js';
import * as c from '#libs/validation/words.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { lasting } from '#libs/http/lasting-answers.js';
import { cursor, limit, LIMIT_DEFAULT } from '#libs/http/paging.js';
import { Clock } from '#libs/kernel/clock.js';
import { read } from '#libs/endpoints/read.js';
import { type Part, pageOfActingPosters } from '#libs/features/jobs/views/acting-posters.js';
import { FirstSlot } from '#libs/features/feed/views/first-slot.js';
import { isOpenRole, type RoleDocument, roleRecord, unchangedUntil } from '#libs/features/jobs/views/roles.js';
import { Muses } from '#libs/features/profile/views/muse.shape.js';
import { Role } from '#libs/features/jobs/views/role.shape.js';
import * as w from '#libs/views/shapes/words.js';
import { summaries } from '#libs/features/profile/views/summaries.js';
import { cursorOf, pageBehind, placeOf, promotedAhead, turnsAt } from './promoted-roles.js';
import { listing, mustBeProject, passing } from './role-filters.js';

const filter = c.text({ max: 500 });

/** The open roles: those that are promoted first, then those of the house, then the newest. */
export const roles = read('roles', {
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
    await mustBeProject(models, filters.project);
    const now = clock.now();
    const passes = passing(filters, now);
    const isAhead = (role: RoleDocument) => passes(role) && isOpenRole(role, now);
    const begun = placeOf(after);
    const turns = await turnsAt(slot, begun);
    const { ahead, promoted, place } = await promotedAhead(models, turns, begun, { limit, isAhead });
    const { index, equals, fields } = listing(filters);
    const behind = (part: Part) =>
      pageBehind(models, {
        range: { index, equals, order: 'desc', limit: part.limit },
        fields,
        cursor: ['after', part.after],
        keep: role => passes(role) && !(promoted.has(role.slug) && isAhead(role)),
      });
    const part = { limit: limit - ahead.length, after: place.rest || undefined };
    const others = await (filters.all ? behind(part) : pageOfActingPosters(models, part, behind));
    const roles = [...ahead, ...others.documents.map(({ body }) => body)].map(role => roleRecord(role, now));
    const mentioned = roles.flatMap(({ poster, hired }) => [poster, ...hired]);
    const next = others.next === null ? null : cursorOf({ ...place, rest: others.next });
    const until = Math.min(begun || !turns ? Infinity : turns.until, unchangedUntil(roles, now));
    return lasting({ roles, next, muses: await summaries(models, mentioned) }, until);
  },
});
