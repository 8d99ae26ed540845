export interface Difference<V> {
  readonly field: string;
  readonly one: V | undefined;
  readonly other: V | undefined;
}

type ValueEquality<V> = (one: V | undefined, other: V | undefined) => boolean;
type JsonMembers<V> = { readonly [name: string]: V };

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

export function findDifferences<V>(
  one: V | undefined,
  other: V | undefined,
  isEqual: ValueEquality<V>,
  field = '',
): Difference<V>[] {
  const comparable = isObject(one) && isObject(other) && Array.isArray(one) === Array.isArray(other);
  if (!comparable) return isEqual(one, other) ? [] : [{ field, one, other }];
  const [these, those] = [one as JsonMembers<V>, other as JsonMembers<V>];
  const names = [...new Set([...Object.keys(these), ...Object.keys(those)])];
  return names.flatMap(name =>
    findDifferences(these[name], those[name], isEqual, field === '' ? name : `${field}.${name}`),
  );
}
