export interface CheckCounts {
  readonly held: number;
  readonly broke: number;
}

export const UNCHECKED: CheckCounts = { held: 0, broke: 0 };

export function addResult(
  counts: CheckCounts,
  result: keyof CheckCounts,
  replaces: keyof CheckCounts | null,
): CheckCounts {
  const increased = { ...counts, [result]: counts[result] + 1 };
  return replaces === null ? increased : { ...increased, [replaces]: increased[replaces] - 1 };
}
