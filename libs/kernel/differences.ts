/** A place at which two JSON values differ, and what stands there; undefined for nothing. */
export interface Difference<V> {
  /** The names and numbers that lead there, joined by dots. */
  readonly field: string;
  readonly one: V | undefined;
  readonly other: V | undefined;
}

/** Whether two values are taken as equal that are not both objects, or not both lists. */
type ValueEquality<V> = (one: V | undefined, other: V | undefined) => boolean;
type JsonMembers<V> = { readonly [name: string]: V };

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Where two JSON values differ, as deep as it goes. The order of members says nothing. */
export function findDifferences<V>(
  one: V | undefined,
  other: V | undefined,
  same: ValueEquality<V>,
  field = '',
): Difference<V>[] {
  const comparable = isObject(one) && isObject(other) && Array.isArray(one) === Array.isArray(other);
  if (!comparable) return same(one, other) ? [] : [{ field, one, other }];
  const [these, those] = [one as JsonMembers<V>, other as JsonMembers<V>];
  const names = [...new Set([...Object.keys(these), ...Object.keys(those)])];
  return names.flatMap(name =>
    findDifferences(these[name], those[name], same, field === '' ? name : `${field}.${name}`),
  );
}
