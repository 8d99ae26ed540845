import type { Json } from '#libs/kernel/json.js';

const PLAIN = /^[ !#-[\]-~]*$/;

const INSERTION_SORT_MAX = 24;

/** Canonical JSON (RFC 8785). Omits undefined members. Throws for NaN, infinities, lone surrogates and cycles. */
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

/** Sorts by UTF-16 code units. Insertion is several times faster than `sort` for few, mostly sorted names. */
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
