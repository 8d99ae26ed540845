import type { Collection } from '#libs/documents/document-store.port.js';
import type { JsonObject } from '#libs/kernel/json.js';

/** Today and the six days before it, in UTC. */
const DAYS = 7;
/** Of how many of each day's first it is looked what they come to in all days. */
const FIRST_OF_DAY = 100;
/** Those of them that come to most so far are counted exactly. */
const COUNTED_EXACTLY = 40;

interface DailyAmounts<D extends JsonObject> {
  readonly collection: Collection<D>;
  /** What one has come to on a day. */
  readonly amountOf: (document: D) => bigint;
  /** What it is of, and the id of its document of a day. */
  readonly aboutOf: (document: D) => string;
  readonly keyOf: (day: number, about: string) => string;
  /** Which of them are looked at; all where it is left out. At most 700 are asked for. */
  readonly among?: (about: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** The days that are looked at, the newest first. */
export const daysUntil = (today: number) => Array.from({ length: DAYS }, (_, ago) => today - ago);

/**
 * What has come to most in the last days, by what it is of. Whoever is not among the first hundred of any day does not
 * come to much in all of them.
 */
export async function findBusiest<D extends JsonObject>(
  daily: DailyAmounts<D>,
  today: number,
): Promise<Map<string, bigint>> {
  const { collection, amountOf, aboutOf, keyOf } = daily;
  const days = daysUntil(today);
  const first = await Promise.all(
    days.map(day => collection.find({ index: 'byDay', equals: [day], order: 'desc', limit: FIRST_OF_DAY })),
  );
  const sum = (documents: readonly { readonly body: D }[]) => {
    const sums = new Map<string, bigint>();
    for (const { body } of documents) sums.set(aboutOf(body), (sums.get(aboutOf(body)) ?? 0n) + amountOf(body));
    return sums;
  };
  const found = [...sortByAmount(sum(first.flat())).keys()];
  const among = (await daily.among?.(found)) ?? new Set(found);
  const candidates = found.filter(about => among.has(about)).slice(0, COUNTED_EXACTLY);
  const ids = candidates.flatMap(about => days.map(day => keyOf(day, about)));
  return sortByAmount(sum(await collection.getMany(ids)));
}

/** By amount, the most first; equals by what they are of. */
export function sortByAmount(sums: ReadonlyMap<string, bigint>): Map<string, bigint> {
  return new Map([...sums].sort(([a, one], [b, other]) => (one === other ? (a < b ? -1 : 1) : one > other ? -1 : 1)));
}
