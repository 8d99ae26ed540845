/** How many fields of one document are named. */
const NAMED_MAX = 20;

type Members = { readonly [name: string]: unknown };

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/** Where two JSON values differ, as deep as it goes, at most `NAMED_MAX` places. The order of members says nothing. */
export function differingFields(one: unknown, other: unknown): string[] {
  return places(one, other, '').slice(0, NAMED_MAX);
}

function places(one: unknown, other: unknown, place: string): string[] {
  const comparable = isObject(one) && isObject(other) && Array.isArray(one) === Array.isArray(other);
  if (!comparable) return one === other ? [] : [place];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap(name => places(one[name], other[name], place === '' ? name : `${place}.${name}`));
}
