/** Works on at most `max` items at a time, and begins no other after one fails. Results are in the order of the items. */
export async function mapParallel<T, R>(items: readonly T[], max: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const entries = each(items);
  const worker = async () => {
    for (const [index, item] of entries) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: max }, worker));
  return results;
}

/** A loop that throws ends a generator for the other loops too. */
function* each<T>(items: readonly T[]): Generator<[index: number, item: T]> {
  yield* items.entries();
}
