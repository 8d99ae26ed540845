import { type Difference, findDifferences } from '#libs/kernel/differences.js';
import type { Json } from '#libs/kernel/json.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';

export type JsonDifference = Difference<Json>;

/** Compares recursively; undefined equals null. */
export function jsonDifferences(one: Json | undefined, other: Json | undefined, field = ''): JsonDifference[] {
  return findDifferences(one, other, isSameJson, field);
}

const isSameJson = (one: Json | undefined, other: Json | undefined) =>
  canonicalJson([one ?? null]) === canonicalJson([other ?? null]);
