import type { Json, JsonObject } from './json.js';

type OptionalJson = Json | undefined;

export interface Difference {
  readonly field: string;
  readonly one: OptionalJson;
  readonly other: OptionalJson;
}

const isObject = (value: OptionalJson): value is JsonObject => typeof value === 'object' && value !== null;
const isSame = (one: OptionalJson, other: OptionalJson) => (one ?? null) === (other ?? null);

/** Compares recursively. By default, a missing value equals null. */
export function findDifferences(one: OptionalJson, other: OptionalJson, isEqual = isSame, field = ''): Difference[] {
  const comparable = isObject(one) && isObject(other) && Array.isArray(one) === Array.isArray(other);
  if (!comparable) return isEqual(one, other) ? [] : [{ field, one, other }];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names.flatMap(name =>
    findDifferences(one[name], other[name], isEqual, field === '' ? name : `${field}.${name}`),
  );
}
