import { findDifferences } from '#libs/kernel/differences.js';
import type { Json } from '#libs/kernel/json.js';

const NAMED_MAX = 20;

/** Returns at most `NAMED_MAX` paths. A missing value differs from null. */
export function findDifferingFields(one: Json, other: Json): string[] {
  const differences = findDifferences(one, other, (a, b) => a === b);
  return differences.slice(0, NAMED_MAX).map(({ field }) => field);
}
