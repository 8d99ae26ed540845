import type { JsonObject } from '#libs/kernel/json.js';
import type { Scalar } from './document-store.port.js';
import { fieldName, isInSparse, isSparse, listFieldPosition } from './index-range.js';

/**
 * Index keys: the indexed values, then the id, as one string that sorts bytewise like the values: null, numbers with
 * booleans as 1 and 0, texts. A page is then one index range; the server's own comparison would not mix types.
 */
const NULL = '0';
const NUMBER = '1';
const TEXT = '2';
const TEXT_END = '\u0001';
/** Would read as the end of a text, or break a server that ends texts at NUL. */
const LOW = new RegExp(`[${String.fromCharCode(0)}-${String.fromCharCode(2)}]`, 'g');
const SIGN = 1n << 63n;
const ALL_BITS = (1n << 64n) - 1n;
const HEX_DIGITS = 16;

export const indexName = (fields: readonly string[]) => fields.join(',');

export function indexKey(fields: readonly string[], id: string, body: JsonObject): string {
  return keyOf(valuesOf(fields, body)) + id;
}

const valuesOf = (fields: readonly string[], body: JsonObject) =>
  fields.map(field => body[fieldName(field)] as Scalar | undefined);

const formatOrderKeyName = (fields: readonly string[]) => `${indexName(fields)}:order`;

export function pathsOf(fields: readonly string[]): string[] {
  const names = listFieldPosition(fields) < 0 ? [indexName(fields)] : [indexName(fields), formatOrderKeyName(fields)];
  return names.map(name => `keys.${name}`);
}

/**
 * Keys of a document by name. An index with a list has two: one per text for comparison, and one for order, because the
 * server cannot order by an array field.
 */
export function keysOf(fields: readonly string[], id: string, body: JsonObject): { [name: string]: string | string[] } {
  const at = listFieldPosition(fields);
  if (isSparse(fields) && !isInSparse(valuesOf(fields, body)[0])) return {};
  if (at < 0) return { [indexName(fields)]: indexKey(fields, id, body) };
  const before = keyOf(valuesOf(fields.slice(0, at), body));
  const texts = [...new Set((body[fieldName(fields[at]!)] ?? []) as string[])];
  return {
    [indexName(fields)]: texts.map(text => before + keyOf([text])),
    [formatOrderKeyName(fields)]: indexKey(fields.slice(at + 1), id, body),
  };
}

export function keyOf(values: readonly (Scalar | undefined)[]): string {
  return values.map(encodeValue).join('');
}

function encodeValue(value: Scalar | undefined): string {
  if (value === null || value === undefined) return NULL;
  if (typeof value === 'number' || typeof value === 'boolean') return NUMBER + encodeNumber(Number(value));
  return textKeyStart(value) + TEXT_END;
}

/** Start of the keys of all texts that begin with `prefix`. */
export const textKeyStart = (prefix: string) => TEXT + prefix.replace(LOW, escapeCharacter);

const escapeCharacter = (low: string) => `\u0002${String.fromCharCode(low.charCodeAt(0) + 1)}`;

/** The bits of a double (IEEE 754) in hex, transformed to sort numerically. */
function encodeNumber(number: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number + 0);
  const bits = view.getBigUint64(0);
  const sortable = bits & SIGN ? ~bits & ALL_BITS : bits | SIGN;
  return sortable.toString(16).padStart(HEX_DIGITS, '0');
}
