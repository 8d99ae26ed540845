import type { Collection } from '#libs/documents/document-store.port.js';
import type { JsonObject } from '#libs/kernel/json.js';

const DAYS = 7;
/** Candidates of each day. */
const CANDIDATES_PER_DAY = 100;
/** Candidates whose total over all days is counted exactly. */
const EXACT_TOTALS_MAX = 40;

interface DailyAmounts<D extends JsonObject> {
  readonly collection: Collection<D>;
  readonly amountOf: (document: D) => bigint;
  /** Id of the subject that a daily document counts for. */
  readonly subjectOf: (document: D) => string;
  readonly keyOf: (day: number, subject: string) => string;
  /** Keeps only some subjects; all if absent. Called with at most 700. */
  readonly filterSubjects?: (subjects: readonly string[]) => Promise<ReadonlySet<string>>;
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
  const { collection, amountOf, subjectOf, keyOf } = daily;
  const days = daysUntil(today);
  const first = await Promise.all(
    days.map(day => collection.find({ index: 'byDay', equals: [day], order: 'desc', limit: CANDIDATES_PER_DAY })),
  );
  const sum = (documents: readonly { readonly body: D }[]) => {
    const sums = new Map<string, bigint>();
    for (const { body } of documents) sums.set(subjectOf(body), (sums.get(subjectOf(body)) ?? 0n) + amountOf(body));
    return sums;
  };
  const subjects = [...sortByAmount(sum(first.flat())).keys()];
  const kept = (await daily.filterSubjects?.(subjects)) ?? new Set(subjects);
  const candidates = subjects.filter(subject => kept.has(subject)).slice(0, EXACT_TOTALS_MAX);
  const ids = candidates.flatMap(subject => days.map(day => keyOf(day, subject)));
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
