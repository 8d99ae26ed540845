import type { Json } from '#libs/kernel/json.js';

/** Texts that JSON writes as they are: printable ASCII without the quotation mark and the backslash. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** How many names are put in order one by one at most. */
const INSERTION_SORT_MAX = 24;

/**
 * Canonical JSON (RFC 8785): members sorted by UTF-16 code units, no white space, numbers as ECMAScript writes them.
 * Members that are undefined are left out. Throws for what no JSON can say: NaN, infinities, lone surrogates, cycles.
 */
export function canonicalJson(value: Json | object): string {
  return textOf(value);
}

function textOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return stringOf(value);
    case 'number':
      return numberOf(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? arrayOf(value) : objectOf(value);
    default:
      throw new TypeError('Only a JSON value has a canonical form.');
  }
}

function stringOf(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError('A text with a lone surrogate has no canonical form.');
  return JSON.stringify(text);
}

/** As `Number::toString` of ECMAScript says, which knows one zero. */
function numberOf(number: number): string {
  if (!Number.isFinite(number)) throw new TypeError(`${number} has no canonical form.`);
  return `${number}`;
}

function arrayOf(items: readonly unknown[]): string {
  return `[${items.map(item => textOf(item ?? null)).join(',')}]`;
}

function objectOf(members: object): string {
  let text = '';
  for (const name of sortNames(Object.keys(members))) {
    const value = (members as { readonly [name: string]: unknown })[name];
    if (value !== undefined) text += `${text === '' ? '' : ','}${stringOf(name)}:${textOf(value)}`;
  }
  return `{${text}}`;
}

/** By their UTF-16 code units. Most objects have few members, and those mostly in order: `sort` takes several times as long. */
function sortNames(names: string[]): string[] {
  if (names.length > INSERTION_SORT_MAX) return names.sort();
  for (let at = 1; at < names.length; at += 1) {
    const name = names[at]!;
    let to = at;
    for (; to > 0 && names[to - 1]! > name; to -= 1) names[to] = names[to - 1]!;
    names[to] = name;
  }
  return names;
}
