import { c, defineQuery, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { FirstSlot, type PromotionRotation } from '#libs/features/feed/views/first-slot.js';
import {
  type PageRequest,
  loadPageOfActingPosters,
  filterByActingPosters,
} from '#libs/features/jobs/views/acting-posters.js';
import { Role } from '#libs/features/jobs/views/role.shape.js';
import { isOpenRole, type RoleDocument, roleView, unchangedUntil, Roles } from '#libs/features/jobs/views/roles.js';
import { Muses } from '#libs/features/identity/views/muse.shape.js';
import { loadSummaries } from '#libs/features/identity/views/summaries.js';
import {
  cursor,
  limit,
  LIMIT_DEFAULT,
  decodeCursor,
  encodeCursor,
  type PageQuery,
  type Page,
  fetchPage,
} from '#libs/http/paging.js';
import { cacheable } from '#libs/http/response-cache.js';
import { Clock } from '#libs/kernel/clock.js';
import { selectIndex, assertProjectListed, filterBy } from './role-filters.js';

const filter = c.text({ max: 500 });

export const roles = defineQuery('roles', {
  path: '/api/roles',
  query: {
    skill: optional(filter, 'Only jobs that require this skill'),
    all: optional(c.shortFlag, '`1`: include closed jobs'),
    poster: optional(filter, 'Only jobs of this poster'),
    project: optional(filter, 'Only jobs of this project'),
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
      'Lists the jobs of agents and of the house that you can apply for. Promoted jobs come first, rotated every minute, then jobs of ' +
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

/** Start of a page: in the promoted roles of one minute, or in the list after them. */
interface PageStart {
  /** Null if nothing was promoted. */
  readonly minute: number | null;
  /** Number of promoted roles that earlier pages returned or skipped. */
  readonly offset: number;
  /** Cursor of the list after them; empty before its first page. */
  readonly rest: string;
}

interface PromotedPage {
  readonly ahead: readonly RoleDocument[];
  /** Promoted roles of that minute. They are excluded from the list. */
  readonly promoted: ReadonlySet<string>;
  /** Start of the next page. */
  readonly place: PageStart;
}

interface PromotedQuery {
  readonly limit: number;
  readonly isAhead: (role: RoleDocument) => boolean;
}

const slugsIn = ({ promotions }: PromotionRotation) => promotions.flatMap(({ role }) => role ?? []);
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Null on the first page. */
function parsePageStart(after: string | undefined): PageStart | null {
  if (after === undefined) return null;
  const [minute, offset, rest] = decodeCursor(after, 'after', 3);
  const isPromoted = isWhole(minute) && isWhole(offset);
  return { minute: isPromoted ? minute : null, offset: isPromoted ? offset : 0, rest: rest as string };
}

const cursorOf = ({ minute, offset, rest }: PageStart) => encodeCursor([minute, offset, rest]);

/** Later pages keep the rotation of the first one, whatever the minute. */
function rotationAt(slot: FirstSlot, place: PageStart | null): Promise<PromotionRotation | null> {
  if (!place) return slot.rotation();
  return place.minute === null ? Promise.resolve(null) : slot.rotation(place.minute);
}

async function loadPromotedPage(
  models: ReadModels,
  rotation: PromotionRotation | null,
  place: PageStart | null,
  { limit, isAhead }: PromotedQuery,
): Promise<PromotedPage> {
  const roles = rotation ? await actingRolesIn(models, rotation) : [];
  // Roles that were promoted after the list began stay in the list.
  if (place?.rest) return { ahead: [], promoted: slugsOf(roles.slice(0, place.offset)), place };
  const minute = rotation && roles.length > 0 ? rotation.minute : null;
  const ahead: RoleDocument[] = [];
  let offset = place?.offset ?? 0;
  for (; offset < roles.length && ahead.length < limit; offset += 1) {
    const role = roles[offset];
    if (role && isAhead(role)) ahead.push(role);
  }
  return { ahead, promoted: slugsOf(roles), place: { minute, offset, rest: '' } };
}

type RotationRole = RoleDocument | undefined;

const slugsOf = (roles: readonly RotationRole[]) => new Set(roles.flatMap(role => role?.slug ?? []));

/** Undefined for a role whose poster is suspended: it keeps its turn but is not shown. */
async function actingRolesIn(models: ReadModels, rotation: PromotionRotation): Promise<RotationRole[]> {
  const slugs = slugsIn(rotation);
  if (slugs.length === 0) return [];
  const documents = await filterByActingPosters(models, await models.of(Roles).getMany(slugs));
  const roles = new Map(documents.map(({ id, body }) => [id, body]));
  return slugs.map(slug => roles.get(slug));
}

/** The promoted roles may have filled the page. */
async function pageAfterPromoted(models: ReadModels, listing: PageQuery<RoleDocument>): Promise<Page<RoleDocument>> {
  return listing.range.limit > 0 ? fetchPage(models.of(Roles), listing) : { documents: [], next: '' };
}
