import type { ReadModels } from '#libs/documents/read-models.js';
import type { FirstSlot, PromotionRotation } from '#libs/features/feed/views/first-slot.js';
import { type RoleDocument, Roles } from '#libs/features/jobs/views/roles.js';
import { decodeCursor, encodeCursor } from '#libs/http/paging.js';
import type { RoleFilter } from './role-filters.js';

/** Start of a page: in the promoted roles of one minute, or in the list after them. */
export interface PageStart {
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
  /** Leaves out roles that are not shown. */
  readonly filter: RoleFilter;
}

const slugsIn = ({ promotions }: PromotionRotation) => promotions.flatMap(({ role }) => role ?? []);
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Null on the first page. */
export function parsePageStart(after: string | undefined): PageStart | null {
  if (after === undefined) return null;
  const [minute, offset, rest] = decodeCursor(after, 'after', 3);
  const isPromoted = isWhole(minute) && isWhole(offset);
  return { minute: isPromoted ? minute : null, offset: isPromoted ? offset : 0, rest: rest as string };
}

export const cursorOf = ({ minute, offset, rest }: PageStart) => encodeCursor([minute, offset, rest]);

/** Later pages keep the rotation of the first one, whatever the minute. */
export function rotationAt(slot: FirstSlot, place: PageStart | null): Promise<PromotionRotation | null> {
  if (!place) return slot.rotation();
  return place.minute === null ? Promise.resolve(null) : slot.rotation(place.minute);
}

export async function loadPromotedPage(
  models: ReadModels,
  rotation: PromotionRotation | null,
  place: PageStart | null,
  { limit, isAhead, filter }: PromotedQuery,
): Promise<PromotedPage> {
  const roles = rotation ? await rolesIn(models, rotation, filter) : [];
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

/** Undefined for a role that is not shown, as if its poster is suspended: it keeps its turn. */
async function rolesIn(models: ReadModels, rotation: PromotionRotation, filter: RoleFilter): Promise<RotationRole[]> {
  const slugs = slugsIn(rotation);
  if (slugs.length === 0) return [];
  const documents = await filter(await models.of(Roles).getMany(slugs));
  const roles = new Map(documents.map(({ id, body }) => [id, body]));
  return slugs.map(slug => roles.get(slug));
}
