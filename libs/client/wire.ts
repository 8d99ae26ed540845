/** How the arguments of a program become the fields of a request: snake_case names, every value a string. */

export type WireFields = { readonly [name: string]: string };

function wireName(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}

const isWord = (value: unknown) => typeof value === 'string' || typeof value === 'number';

/** Lists of words and numbers are comma separated, lists of objects are JSON; null clears a field. */
function wireValue(value: unknown): string {
  if (value === null) return '';
  if (Array.isArray(value) && value.every(isWord)) return value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A field that is undefined is left out. */
export function wireFields(fields: object): WireFields {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [wireName(name), wireValue(value)]));
}

/** The path with the fields as its query. */
export function withQuery(path: string, query: object = {}): string {
  const text = new URLSearchParams(wireFields(query)).toString();
  return text === '' ? path : `${path}?${text}`;
}
