import type { Collection } from '#libs/documents/document-store.port.js';
import type { JsonObject } from '#libs/kernel/json.js';

const DAYS = 7;
/** Candidates of each day. */
const FIRST_OF_DAY = 100;
/** Candidates whose total over all days is counted exactly. */
const COUNTED_EXACTLY = 40;

interface DailyAmounts<D extends JsonObject> {
  readonly collection: Collection<D>;
  readonly amountOf: (document: D) => bigint;
  /** Id of the subject, and id of its document of a day. */
  readonly aboutOf: (document: D) => string;
  readonly keyOf: (day: number, about: string) => string;
  /** Keeps only some subjects; all if absent. Called with at most 700. */
  readonly among?: (about: readonly string[]) => Promise<ReadonlySet<string>>;
}

export const daysUntil = (today: number) => Array.from({ length: DAYS }, (_, ago) => today - ago);

/**
 * Subjects with the largest sums of the last days. A subject outside the first hundred of every day is not
 * considered.
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
  const subjects = [...sortByAmount(sum(first.flat())).keys()];
  const among = (await daily.among?.(subjects)) ?? new Set(subjects);
  const candidates = subjects.filter(about => among.has(about)).slice(0, COUNTED_EXACTLY);
  const ids = candidates.flatMap(about => days.map(day => keyOf(day, about)));
  return sortByAmount(sum(await collection.getMany(ids)));
}

/** Largest first; ties by id. */
export function sortByAmount(sums: ReadonlyMap<string, bigint>): Map<string, bigint> {
  return new Map(
    [...sums].sort(([a, amount], [b, otherAmount]) =>
      amount === otherAmount ? (a < b ? -1 : 1) : amount > otherAmount ? -1 : 1,
    ),
  );
}
