import type { ReadModels } from '#libs/documents/read-models.js';
import { decodeCursor, encodeCursor, type Listing, type Page, page } from '#libs/http/paging.js';
import { ofActingPosters } from '#libs/features/jobs/views/acting-posters.js';
import type { FirstSlot, Turns } from '#libs/features/feed/views/first-slot.js';
import { type RoleDocument, Roles } from '#libs/features/jobs/views/roles.js';

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
  /** What is promoted in that minute by who may act. Those that can stand ahead do, and the list has none of these. */
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
  const roles = turns ? await actingIn(models, turns) : [];
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

type Turn = RoleDocument | undefined;

const slugsOf = (roles: readonly Turn[]) => new Set(roles.flatMap(role => role?.slug ?? []));

/** What is promoted, in its turns; undefined in the turn of a role whose poster is suspended: it stands ahead of none. */
async function actingIn(models: ReadModels, turns: Turns): Promise<Turn[]> {
  const slugs = slugsIn(turns);
  if (slugs.length === 0) return [];
  const found = await ofActingPosters(models, await models.of(Roles).getMany(slugs));
  const roles = new Map(found.map(({ id, body }) => [id, body]));
  return slugs.map(slug => roles.get(slug));
}

/** A part of the list behind what stands ahead, which may have no room left on this page. */
export async function pageBehind(models: ReadModels, listing: Listing<RoleDocument>): Promise<Page<RoleDocument>> {
  return listing.range.limit > 0 ? page(models.of(Roles), listing) : { documents: [], next: '' };
}
