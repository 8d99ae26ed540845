import type { ReadModels } from '#libs/documents/read-models.js';
import { decodeCursor, encodeCursor, type Listing, type Page, page } from '#libs/http/paging.js';
import type { FirstSlot, Turns } from '#libs/views/first-slot.js';
import { type RoleDocument, Roles } from '#libs/views/roles.js';

/** Where a page begins: in the promoted roles of one minute, which stand ahead, or in the list behind them. */
interface Place {
  /** Null where nothing was promoted. */
  readonly minute: number | null;
  /** How many of them were shown or passed over. */
  readonly looked: number;
  /** Where the list behind them goes on; empty where it has not begun. */
  readonly rest: string;
}

interface Ahead {
  readonly ahead: readonly RoleDocument[];
  /** All that are promoted in that minute. Those of them that can stand ahead do, and the list has none of these. */
  readonly promoted: ReadonlySet<string>;
  /** Behind what stands ahead on this page. */
  readonly place: Place;
}

interface Wanted {
  readonly limit: number;
  readonly isAhead: (role: RoleDocument) => boolean;
}

const slugsIn = ({ promotions }: Turns) => promotions.flatMap(({ role }) => role ?? []);
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Null on the first page. */
export function placeOf(after: string | undefined): Place | null {
  if (after === undefined) return null;
  const [minute, looked, rest] = decodeCursor(after, 'after', 3);
  const isOne = isWhole(minute) && isWhole(looked);
  return { minute: isOne ? minute : null, looked: isOne ? looked : 0, rest: rest as string };
}

export const cursorOf = ({ minute, looked, rest }: Place) => encodeCursor([minute, looked, rest]);

/** The turns that a page was begun with, whatever minute it is by now. */
export function turnsAt(slot: FirstSlot, place: Place | null): Promise<Turns | null> {
  if (!place) return slot.turns();
  return place.minute === null ? Promise.resolve(null) : slot.turns(place.minute);
}

/** The promoted roles that stand ahead on a page. */
export async function promotedAhead(
  models: ReadModels,
  turns: Turns | null,
  place: Place | null,
  { limit, isAhead }: Wanted,
): Promise<Ahead> {
  const slugs = turns ? slugsIn(turns) : [];
  const promoted = new Set(slugs);
  const minute = turns && slugs.length > 0 ? turns.minute : null;
  // What is promoted since the list behind has begun stands in it, and behind all that stood ahead then.
  if (place?.rest) return { ahead: [], promoted: new Set(slugs.slice(0, place.looked)), place };
  if (slugs.length === 0) return { ahead: [], promoted, place: { minute, looked: 0, rest: '' } };
  const found = await models.of(Roles).getMany(slugs);
  const roles = new Map(found.map(({ id, body }) => [id, body]));
  const ahead: RoleDocument[] = [];
  let looked = place?.looked ?? 0;
  for (; looked < slugs.length && ahead.length < limit; looked += 1) {
    const role = roles.get(slugs[looked]!);
    if (role && isAhead(role)) ahead.push(role);
  }
  return { ahead, promoted, place: { minute, looked, rest: '' } };
}

/** What of a page is left for the list behind what stands ahead. */
export async function pageBehind(
  models: ReadModels,
  ahead: number,
  { range, ...listing }: Listing<RoleDocument>,
): Promise<Page<RoleDocument>> {
  const limit = range.limit - ahead;
  return limit > 0 ? page(models.of(Roles), { ...listing, range: { ...range, limit } }) : { documents: [], next: '' };
}
