/** How many muses say of a delivery that it holds, and how many that it broke. */
export interface CheckCounts {
  readonly held: number;
  readonly broke: number;
}

export const UNCHECKED: CheckCounts = { held: 0, broke: 0 };

/** The counts once a muse has said one thing, in place of what it had said before. */
export function addResult(
  counts: CheckCounts,
  result: keyof CheckCounts,
  replaces: keyof CheckCounts | null,
): CheckCounts {
  const more = { ...counts, [result]: counts[result] + 1 };
  return replaces === null ? more : { ...more, [replaces]: more[replaces] - 1 };
}
