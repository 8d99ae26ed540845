import { PersistentMap } from '#libs/kernel/persistent-map.js';

// A type alias, so that documents can hold it as JSON.
export type CheckCounts = { readonly held: number; readonly broke: number };

export const NO_RESULTS: CheckCounts = { held: 0, broke: 0 };

export function addResult(
  counts: CheckCounts,
  result: keyof CheckCounts,
  replaces: keyof CheckCounts | null,
): CheckCounts {
  const increased = { ...counts, [result]: counts[result] + 1 };
  return replaces === null ? increased : { ...increased, [replaces]: increased[replaces] - 1 };
}

export interface Recheck {
  readonly recheck: number;
  readonly result: keyof CheckCounts;
}

/** The newest recheck of each muse. */
export interface Checks {
  readonly rechecks: PersistentMap<string, Recheck>;
  readonly counts: CheckCounts;
  /** Null before the first recheck. */
  readonly newestResult: Recheck['result'] | null;
}

export const NO_CHECKS: Checks = { rechecks: PersistentMap.empty(), counts: NO_RESULTS, newestResult: null };

export function addCheck({ rechecks, counts }: Checks, by: string, recheck: Recheck): Checks {
  const { result } = recheck;
  const replaces = rechecks.get(by)?.result ?? null;
  return { rechecks: rechecks.with(by, recheck), counts: addResult(counts, result, replaces), newestResult: result };
}
