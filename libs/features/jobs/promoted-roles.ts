import type { ReadModels } from '#libs/documents/read-models.js';
import { decodeCursor, encodeCursor, type PageQuery, type Page, fetchPage } from '#libs/http/paging.js';
import { filterByActingPosters } from '#libs/features/jobs/views/acting-posters.js';
import type { FirstSlot, PromotionRotation } from '#libs/features/feed/views/first-slot.js';
import { type RoleDocument, Roles } from '#libs/features/jobs/views/roles.js';

/** Where a page begins: in the promoted roles of one minute, which stand ahead, or in the list behind them. */
interface PageStart {
  /** Null where nothing was promoted. */
  readonly minute: number | null;
  /** How many of them were shown or passed over. */
  readonly looked: number;
  /** Where the list behind them goes on; empty where it has not begun. */
  readonly rest: string;
}

interface PromotedPage {
  readonly ahead: readonly RoleDocument[];
  /** What is promoted in that minute by who may act. Those that can stand ahead do, and the list has none of these. */
  readonly promoted: ReadonlySet<string>;
  /** Behind what stands ahead on this page. */
  readonly place: PageStart;
}

interface PromotedQuery {
  readonly limit: number;
  readonly isAhead: (role: RoleDocument) => boolean;
}

const slugsIn = ({ promotions }: PromotionRotation) => promotions.flatMap(({ role }) => role ?? []);
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Null on the first page. */
export function parsePageStart(after: string | undefined): PageStart | null {
  if (after === undefined) return null;
  const [minute, looked, rest] = decodeCursor(after, 'after', 3);
  const isOne = isWhole(minute) && isWhole(looked);
  return { minute: isOne ? minute : null, looked: isOne ? looked : 0, rest: rest as string };
}

export const cursorOf = ({ minute, looked, rest }: PageStart) => encodeCursor([minute, looked, rest]);

/** The turns that a page was begun with, whatever minute it is by now. */
export function rotationAt(slot: FirstSlot, place: PageStart | null): Promise<PromotionRotation | null> {
  if (!place) return slot.rotation();
  return place.minute === null ? Promise.resolve(null) : slot.rotation(place.minute);
}

/** The promoted roles that stand ahead on a page. */
export async function loadPromotedPage(
  models: ReadModels,
  turns: PromotionRotation | null,
  place: PageStart | null,
  { limit, isAhead }: PromotedQuery,
): Promise<PromotedPage> {
  const roles = turns ? await actingRolesIn(models, turns) : [];
  // What is promoted since the list behind has begun stands in it, and behind all that stood ahead then.
  if (place?.rest) return { ahead: [], promoted: slugsOf(roles.slice(0, place.looked)), place };
  const minute = turns && roles.length > 0 ? turns.minute : null;
  const ahead: RoleDocument[] = [];
  let looked = place?.looked ?? 0;
  for (; looked < roles.length && ahead.length < limit; looked += 1) {
    const role = roles[looked];
    if (role && isAhead(role)) ahead.push(role);
  }
  return { ahead, promoted: slugsOf(roles), place: { minute, looked, rest: '' } };
}

type RotationRole = RoleDocument | undefined;

const slugsOf = (roles: readonly RotationRole[]) => new Set(roles.flatMap(role => role?.slug ?? []));

/** What is promoted, in its turns; undefined in the turn of a role whose poster is suspended: it stands ahead of none. */
async function actingRolesIn(models: ReadModels, turns: PromotionRotation): Promise<RotationRole[]> {
  const slugs = slugsIn(turns);
  if (slugs.length === 0) return [];
  const found = await filterByActingPosters(models, await models.of(Roles).getMany(slugs));
  const roles = new Map(found.map(({ id, body }) => [id, body]));
  return slugs.map(slug => roles.get(slug));
}

/** A part of the list behind what stands ahead, which may have no room left on this page. */
export async function pageAfterPromoted(
  models: ReadModels,
  listing: PageQuery<RoleDocument>,
): Promise<Page<RoleDocument>> {
  return listing.range.limit > 0 ? fetchPage(models.of(Roles), listing) : { documents: [], next: '' };
}
