import type { ReadModels } from '#libs/documents/read-models.js';
import { decodeCursor, type Listing, type Page, page } from '#libs/http/paging.js';
import type { FirstSlot, Turns } from '#libs/views/first-slot.js';
import { type RoleDocument, Roles } from '#libs/views/roles.js';

/** Which promoted roles the first page has shown or passed over, of which minute: the list behind them has none of them. */
interface Behind {
  readonly minute: number | null;
  readonly slugs: ReadonlySet<string>;
}

interface Ahead {
  readonly ahead: readonly RoleDocument[];
  readonly behind: Behind;
  /** Where the list goes on; undefined at its start. */
  readonly rest: string | undefined;
}

interface Wanted {
  readonly limit: number;
  readonly isAhead: (role: RoleDocument) => boolean;
}

const slugsIn = ({ promotions }: Turns) => promotions.flatMap(({ role }) => role ?? []);
const behindOf = (turns: Turns, count: number): Behind => {
  const slugs = new Set(slugsIn(turns).slice(0, count));
  return { minute: slugs.size > 0 ? turns.minute : null, slugs };
};

/** The promoted roles that stand ahead of a list on its first page. */
export async function promotedAhead(models: ReadModels, turns: Turns, { limit, isAhead }: Wanted): Promise<Ahead> {
  const slugs = slugsIn(turns);
  const found = await models.of(Roles).getMany(slugs);
  const roles = new Map(found.map(({ id, body }) => [id, body]));
  const ahead: RoleDocument[] = [];
  let looked = 0;
  for (; looked < slugs.length && ahead.length < limit; looked += 1) {
    const role = roles.get(slugs[looked]!);
    if (role && isAhead(role)) ahead.push(role);
  }
  return { ahead, behind: behindOf(turns, looked), rest: undefined };
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** The same for a later page, as its cursor says what the first one was like. */
export async function promotedBefore(slot: FirstSlot, after: string): Promise<Ahead> {
  const [minute, count, rest] = decodeCursor(after, 'after', 3);
  const isOne = isWhole(minute) && isWhole(count);
  const behind = isOne ? behindOf(await slot.turns(minute), count) : { minute: null, slugs: new Set<string>() };
  return { ahead: [], behind, rest: (rest as string) || undefined };
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
