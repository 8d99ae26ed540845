import { textValidator, type FieldValidator } from '#libs/validation/field-validator.js';
import { DIGITS, classifyNumberFault } from '#libs/validation/validators.js';
import type { Collection, IndexRange, Scalar } from '#libs/documents/document-store.port.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import { fieldRule } from '#libs/kernel/refusal.js';

export const LIMIT_DEFAULT = 20;
export const LIMIT_MAX = 50;
/** How many documents are read for one filtered page. Its cursor continues behind them. */
const SCAN_MAX = 500;

/** The query string of a read: a repeated name is a list, which no parameter of ours takes. */
export type ReadParameters = { readonly [name: string]: unknown };

const describeLimit = (max: number, otherwise: number) =>
  `At most this many; ${otherwise} without it, and never more than ${max}`;

/** `limit` as a parameter of a read: a larger number is cut to the maximum. */
export const limit = (max = LIMIT_MAX, otherwise = LIMIT_DEFAULT): FieldValidator<number> => ({
  schema: {
    type: 'integer',
    minimum: 1,
    default: otherwise,
    description: describeLimit(max, otherwise),
  },
  accepts: text => DIGITS.test(text) && Number(text) >= 1,
  expectation: 'a whole number from 1 on',
  fault: classifyNumberFault,
  type: 'number',
  parse: text => Math.min(Number(text), max),
});

/** The same as a field of a body, which is text as every field is. */
export const limitUpTo = (max: number, otherwise: number): FieldValidator<number> => ({
  ...limit(max, otherwise),
  schema: { type: 'string', pattern: DIGITS.source, description: describeLimit(max, otherwise) },
});
export const limitAsText = limitUpTo(LIMIT_MAX, LIMIT_DEFAULT);

/** Base64url of the values that order a list. */
const CURSOR = /^[A-Za-z0-9_-]{1,500}$/;

/** A parameter that carries the `next` of the page before. */
export const cursor: FieldValidator = textValidator({
  schema: { type: 'string', pattern: CURSOR.source, description: 'The `next` of the page before' },
  accepts: text => CURSOR.test(text),
  expectation: 'the next of the page before',
});

/** A cursor from what orders a list, or from what its first page was like and the cursor of the list itself. */
export const encodeCursor = (values: readonly Scalar[]) => Buffer.from(JSON.stringify(values)).toString('base64url');

/** Reads a cursor of an earlier page, whose last value is text. Refuses with a 400 that names its parameter. */
export function decodeCursor(text: string, name: string, length: number): Scalar[] {
  let values: unknown;
  try {
    values = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    values = null;
  }
  const scalar = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value);
  const readable =
    Array.isArray(values) && values.length === length && values.every(scalar) && typeof values.at(-1) === 'string';
  assertCursor(readable, name);
  return values as Scalar[];
}

/** Refuses a cursor that cannot be read, or is of another list, with a 400 that names its parameter. */
export function assertCursor(isCursor: boolean, name: string): void {
  fieldRule(isCursor, name, `${name} is no cursor of this list.`, 'malformed');
}

export interface Page<D extends JsonObject> {
  readonly documents: StoredDocument<D>[];
  /** What to send back for the next page; null at the end. */
  readonly next: string | null;
}

export interface PageQuery<D> {
  readonly range: Pick<IndexRange, 'index' | 'equals' | 'order' | 'limit'>;
  /** The fields that order the list: those of the index behind the compared ones. */
  readonly fields: readonly (keyof D & string)[];
  /** The parameter that carries the cursor, and its value. */
  readonly cursor: readonly [name: 'before' | 'after', text: string | undefined];
  readonly keep?: (document: D) => boolean;
}

/** One page of a list. Keyset paging: nothing is skipped or shown twice while new documents arrive. */
export async function fetchPage<D extends JsonObject>(
  collection: Collection<D>,
  listing: PageQuery<D>,
): Promise<Page<D>> {
  const { range, fields, cursor, keep = () => true } = listing;
  const [name, text] = cursor;
  let after = text === undefined ? undefined : decodeCursor(text, name, fields.length + 1);
  const kept: StoredDocument<D>[] = [];
  for (let scanned = 0; scanned < SCAN_MAX;) {
    const found = await collection.find({ ...range, limit: range.limit + 1, ...(after && { after }) });
    for (const document of found) {
      if (kept.length === range.limit) return { documents: kept, next: after ? encodeCursor(after) : null };
      if (keep(document.body)) kept.push(document);
      after = [...fields.map(field => document.body[field] as Scalar), document.id];
    }
    if (found.length <= range.limit) return { documents: kept, next: null };
    scanned += found.length;
  }
  return { documents: kept, next: after ? encodeCursor(after) : null };
}
