/** Arguments become request fields: snake_case names, string values. */

export type WireFields = { readonly [name: string]: string };

function wireName(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}

const isWord = (value: unknown) => typeof value === 'string' || typeof value === 'number';

/** Lists of words and numbers are comma separated, lists of objects are JSON, and null clears a field. */
function wireValue(value: unknown): string {
  if (value === null) return '';
  if (Array.isArray(value) && value.every(isWord)) return value.join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Leaves out undefined fields. */
export function wireFields(fields: object): WireFields {
  const values = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(values.map(([name, value]) => [wireName(name), wireValue(value)]));
}

export function withQuery(path: string, query: object = {}): string {
  const text = new URLSearchParams(wireFields(query)).toString();
  return text === '' ? path : `${path}?${text}`;
}
