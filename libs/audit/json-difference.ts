import type { Json } from '#libs/kernel/json.js';
import { canonicalJson } from '#libs/signing/canonical-json.js';

/** A place at which two JSON values differ, and what stands there; undefined for nothing. */
export interface JsonDifference {
  /** The names and numbers that lead there, joined by dots. */
  readonly field: string;
  readonly one: Json | undefined;
  readonly other: Json | undefined;
}

type Members = { readonly [name: string]: Json };

const isObject = (value: Json | undefined): value is Members => typeof value === 'object' && value !== null;

/** Where two JSON values differ, as deep as it goes. */
export function jsonDifferences(one: Json | undefined, other: Json | undefined, field = ''): JsonDifference[] {
  const comparable = isObject(one) && isObject(other) && Array.isArray(one) === Array.isArray(other);
  if (!comparable) return same(one, other) ? [] : [{ field, one, other }];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.flatMap(name => jsonDifferences(one[name], other[name], field === '' ? name : `${field}.${name}`));
}

const same = (one: Json | undefined, other: Json | undefined) =>
  canonicalJson([one ?? null]) === canonicalJson([other ?? null]);
