import type { JsonObject } from '#libs/kernel/json.js';
import type { Scalar } from './document-store.port.js';
import { fieldName, listFieldPosition } from './index-range.js';

/**
 * What an index orders by, as one text: the values in the index's order, then the document's id. Compared byte by
 * byte it sorts as the values do: null and what is missing, numbers with booleans as 1 and 0, texts. So every page is
 * one range of one index, whatever kinds of values a field holds; the server's own comparison never looks past a kind.
 */
const NULL = '0';
const NUMBER = '1';
const TEXT = '2';
const TEXT_END = '\u0001';
/** Characters that would read as the end of a text, or break a server that keeps texts up to a NUL. */
const LOW = new RegExp(`[${String.fromCharCode(0)}-${String.fromCharCode(2)}]`, 'g');
const SIGN = 1n << 63n;
const ALL_BITS = (1n << 64n) - 1n;
const HEX_DIGITS = 16;

/** How an index's fields are named in a document and in the server. */
export const indexName = (fields: readonly string[]) => fields.join(',');

/** The document's key in an index. */
export function indexKey(fields: readonly string[], id: string, body: JsonObject): string {
  return keyOf(fields.map(field => body[field] as Scalar | undefined)) + id;
}

/** Where the other half of a key stands, of an index with a list among its fields. */
const formatOrderKeyName = (fields: readonly string[]) => `${indexName(fields)}:order`;

/** What the server's index is made of: where the document's key stands. */
export function pathsOf(fields: readonly string[]): string[] {
  const names = listFieldPosition(fields) < 0 ? [indexName(fields)] : [indexName(fields), formatOrderKeyName(fields)];
  return names.map(name => `keys.${name}`);
}

/**
 * The document's key in an index, by name. Of one with a list it is two: for each text of the list what is compared up
 * to there, and what orders those with the same text, because the server orders nothing by a field that holds several.
 */
export function keysOf(fields: readonly string[], id: string, body: JsonObject): { [name: string]: string | string[] } {
  const at = listFieldPosition(fields);
  if (at < 0) return { [indexName(fields)]: indexKey(fields, id, body) };
  const before = keyOf(fields.slice(0, at).map(field => body[field] as Scalar | undefined));
  const texts = [...new Set((body[fieldName(fields[at]!)] ?? []) as string[])];
  return {
    [indexName(fields)]: texts.map(text => before + keyOf([text])),
    [formatOrderKeyName(fields)]: indexKey(fields.slice(at + 1), id, body),
  };
}

/** The beginning that all keys with these values share. */
export function keyOf(values: readonly (Scalar | undefined)[]): string {
  return values.map(encodeValue).join('');
}

function encodeValue(value: Scalar | undefined): string {
  if (value === null || value === undefined) return NULL;
  if (typeof value === 'number' || typeof value === 'boolean') return NUMBER + encodeNumber(Number(value));
  return TEXT + value.replace(LOW, escapeCharacter) + TEXT_END;
}

/** Sorts behind the end of a text, and before every character that stands for itself. */
const escapeCharacter = (low: string) => `\u0002${String.fromCharCode(low.charCodeAt(0) + 1)}`;

/** The bits of a double (IEEE 754) in hex, turned so that they sort as the numbers do. */
function encodeNumber(number: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number + 0);
  const bits = view.getBigUint64(0);
  const turned = bits & SIGN ? ~bits & ALL_BITS : bits | SIGN;
  return turned.toString(16).padStart(HEX_DIGITS, '0');
}
