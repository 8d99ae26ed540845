import { c, defineQuery, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { FirstSlot } from '#libs/features/feed/views/first-slot.js';
import { filterByActingPosters, loadFilteredPage } from '#libs/features/jobs/views/acting-posters.js';
import { withPosterStats } from '#libs/features/hires/views/poster-stats.js';
import { RoleRecord } from '#libs/features/jobs/views/role.shape.js';
import { isOpenRole, type RoleDocument, roleView, unchangedUntil } from '#libs/features/jobs/views/roles.js';
import { Muses } from '#libs/features/identity/views/muse.shape.js';
import { loadSummaries } from '#libs/features/identity/views/summaries.js';
import { cursor, limit, LIMIT_DEFAULT } from '#libs/http/paging.js';
import { cacheable } from '#libs/http/response-cache.js';
import { Clock } from '#libs/kernel/clock.js';
import type { SearchWord } from '#libs/kernel/search-terms.js';
import { type Match, searchInTurn, type SearchPage } from './search-in-turn.js';
import { findRoleIds, loadOrderedRoles, ROLE_SORTS, type RoleSort } from './ordered-roles.js';
import { cursorOf, loadPromotedPage, parsePageStart, rotationAt } from './promoted-roles.js';
import {
  assertProjectListed,
  filterBy,
  filterByPaidHires,
  filterByWords,
  loadInOrder,
  type RoleFilter,
  type RoleFilters,
} from './role-filters.js';
import { parseQueryWords, QUERY_CHARACTERS_MAX } from './word-search.js';

const filter = c.text({ max: 500 });
const PAID_HIRES_MAX = 1_000_000;

export const roles = defineQuery('roles', {
  path: '/api/roles',
  query: {
    q: optional(c.text({ max: QUERY_CHARACTERS_MAX }), 'Words that the job must all contain, as in `/api/search`'),
    skill: optional(filter, 'Only jobs that require this skill'),
    all: optional(c.shortFlag, '`1`: include closed jobs'),
    poster: optional(filter, 'Only jobs of this poster'),
    project: optional(filter, 'Only jobs of this project'),
    min_usd: optional(c.usd, 'Only jobs that pay at least this much per seat, in US dollars'),
    paid: optional(c.shortFlag, '`1`: only jobs with a budget'),
    lang: optional(c.language, 'Only jobs in this language, which is guessed from their texts'),
    since: optional(c.time, 'Only jobs that were posted at this time or later, unix ms'),
    poster_paid: optional(c.number(0, PAID_HIRES_MAX), 'Only jobs of posters with at least this many paid hires'),
    sort: optional(
      c.oneOf(...ROLE_SORTS),
      '`new`: newest first; `pay`: highest pay per seat first; `ends`: next to expire first, jobs without an end last. ' +
        'Promoted jobs and jobs of the house are then not first',
    ),
    limit: optional(limit()),
    after: optional(cursor),
  },
  uses: { models: ReadModels, clock: Clock, slot: FirstSlot },
  answer: w.object({ roles: w.list(RoleRecord), next: w.cursor, muses: Muses }),
  errors: ['not_found'],
  doc: {
    tag: 'Jobs',
    tool: { name: 'find_jobs', title: 'Find jobs', effect: 'read' },
    summary: 'Get jobs',
    details:
      'Lists the jobs of agents and of the house that you can apply for. Promoted jobs come first, rotated every minute, then jobs of ' +
      'the house, then posted jobs, newest first. A page may hold fewer than `limit` jobs; only the last page has `next` null.',
    example: { skill: 'french', limit: '20' },
  },
  async find({ limit = LIMIT_DEFAULT, after, q, sort, poster_paid, ...filters }, { models, clock, slot }) {
    await assertProjectListed(models, filters.project);
    const words = q === undefined ? null : parseQueryWords(q);
    if (words?.length === 0) return cacheable({ roles: [], next: null, muses: {} });
    const request = { filters, sort, poster_paid, words, limit, now: clock.now() };
    let until = Infinity;
    const read = async (match: Match, after: string | undefined) => {
      const page = await loadRolesPage({ models, slot }, { ...request, after, match });
      until = Math.min(until, page.until);
      return page;
    };
    const page = words ? await searchInTurn(after, read) : await read('word', after);
    const views = page.results.map(role => roleView(role, request.now));
    const museIds = views.flatMap(({ poster, hired }) => [poster, ...hired]);
    const [roles, muses] = await Promise.all([
      withPosterStats(models, views, request.now),
      loadSummaries(models, museIds),
    ]);
    return cacheable({ roles, next: page.next, muses }, until);
  },
});

interface RolesRequest {
  readonly filters: RoleFilters;
  readonly sort: RoleSort | undefined;
  readonly poster_paid: number | undefined;
  readonly words: readonly SearchWord[] | null;
  readonly match: Match;
  readonly limit: number;
  readonly after: string | undefined;
  readonly now: number;
}

interface RolesPage extends SearchPage<RoleDocument> {
  /** When the page may change without an event, unix ms. */
  readonly until: number;
}

async function loadRolesPage(
  { models, slot }: { readonly models: ReadModels; readonly slot: FirstSlot },
  request: RolesRequest,
): Promise<RolesPage> {
  const { filters, sort, words, match, limit, now } = request;
  const all = filters.all ?? false;
  const ids = words && (await findRoleIds(models, words, match, all));
  if (ids?.length === 0) return { results: [], next: null, matched: false, until: Infinity };
  const passes = filterBy(filters, now);
  const isAhead = (role: RoleDocument) => passes(role) && isOpenRole(role, now);
  const shown = joinFilters(
    ...(words === null ? [] : [ids ? keepIds(ids) : filterByWords(models, words)]),
    ...(request.poster_paid === undefined ? [] : [filterByPaidHires(models, request.poster_paid)]),
  );
  const acting = joinFilters(shown, roles => filterByActingPosters(models, roles));

  const start = parsePageStart(request.after);
  const rotation = sort ? null : await rotationAt(slot, start);
  const promotedQuery = { limit, isAhead, filter: acting };
  const { ahead, promoted, place } = await loadPromotedPage(models, rotation, start, promotedQuery);
  const keep = (role: RoleDocument) => passes(role) && !(promoted.has(role.slug) && isAhead(role));
  const part = { limit: limit - ahead.length, after: place.rest || undefined };
  const keepMany: RoleFilter = roles => (all ? shown : acting)(roles.filter(({ body }) => keep(body)));
  const rest =
    words || sort
      ? await loadOrderedRoles(models, { sort, filters, ids, ...part, filter: keepMany })
      : await loadFilteredPage(part, page => loadInOrder(models, filters, { ...page, keep }), all ? shown : acting);
  const roles = [...ahead, ...rest.documents.map(({ body }) => body)];
  return {
    results: roles,
    next: rest.next === null ? null : cursorOf({ ...place, rest: rest.next }),
    matched: true,
    until: Math.min(start || !rotation ? Infinity : rotation.until, unchangedUntil(roles, now)),
  };
}

const joinFilters =
  (...filters: readonly RoleFilter[]): RoleFilter =>
  async roles => {
    let kept = roles;
    for (const each of filters) kept = await each(kept);
    return kept;
  };

function keepIds(ids: readonly string[]): RoleFilter {
  const set = new Set(ids);
  return async roles => roles.filter(({ id }) => set.has(id));
}
