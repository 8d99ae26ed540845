import { findDifferences } from '#libs/kernel/differences.js';
import type { Json } from '#libs/kernel/json.js';

/** How many fields of one document are named. */
const NAMED_MAX = 20;

/** Where two JSON values differ, as deep as it goes, at most `NAMED_MAX` places. Nothing and null are two things. */
export function findDifferingFields(one: Json, other: Json): string[] {
  const places = findDifferences(one, other, (a, b) => a === b);
  return places.slice(0, NAMED_MAX).map(({ field }) => field);
}
