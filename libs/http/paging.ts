import { constraint, isWholeNumber, matchesPattern } from '#libs/values/constraint.js';
import { type RequestValue, textValue } from '#libs/values/value.js';
import { DIGITS, isDigits } from '#libs/values/values.js';
import type { Collection, IndexRange, Scalar } from '#libs/documents/document-store.port.js';
import { type JsonObject, parseJson } from '#libs/kernel/json.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import { fieldRule } from '#libs/kernel/refusal.js';

export const LIMIT_DEFAULT = 20;
export const LIMIT_MAX = 50;
/** Maximum number of documents read for one filtered page. Its cursor continues after them. */
const SCAN_MAX = 500;

/** A repeated name becomes a list, which every parameter refuses. */
export type ReadParameters = { readonly [name: string]: unknown };

const describeLimit = (max: number, defaultLimit: number) =>
  `Maximum number of items: ${defaultLimit} by default, at most ${max}`;

export const limit = (max = LIMIT_MAX, defaultLimit = LIMIT_DEFAULT): RequestValue<number> => ({
  schema: {
    type: 'integer',
    minimum: 1,
    default: defaultLimit,
    description: describeLimit(max, defaultLimit),
  },
  rules: [isWholeNumber, isDigits, constraint('isAtLeast', 'out_of_range', text => Number(text) >= 1)],
  mustBe: 'a whole number of at least 1',
  type: 'number',
  parse: text => Math.min(Number(text), max),
});

export const limitUpTo = (max: number, defaultLimit: number): RequestValue<number> => ({
  ...limit(max, defaultLimit),
  schema: { type: 'string', pattern: DIGITS.source, description: describeLimit(max, defaultLimit) },
});
export const limitAsText = limitUpTo(LIMIT_MAX, LIMIT_DEFAULT);

const CURSOR = /^[A-Za-z0-9_-]{1,500}$/;

export const cursor: RequestValue = textValue({
  schema: { type: 'string', pattern: CURSOR.source, description: 'The `next` of the previous page' },
  rules: [matchesPattern(CURSOR)],
  mustBe: 'the next of the previous page',
});

export const encodeCursor = (values: readonly Scalar[]) => Buffer.from(JSON.stringify(values)).toString('base64url');

export function decodeCursor(text: string, name: string, length: number): Scalar[] {
  const values: unknown = parseJson(Buffer.from(text, 'base64url').toString('utf8'));
  const scalar = (value: unknown) => value === null || ['string', 'number', 'boolean'].includes(typeof value);
  const readable =
    Array.isArray(values) && values.length === length && values.every(scalar) && typeof values.at(-1) === 'string';
  assertCursor(readable, name);
  return values as Scalar[];
}

export function assertCursor(isCursor: boolean, name: string): void {
  fieldRule(isCursor, name, `\`${name}\` is not a cursor of this list.`, 'malformed');
}

export interface Page<D extends JsonObject> {
  readonly documents: StoredDocument<D>[];
  readonly next: string | null;
}

export interface PageQuery<D> {
  readonly range: Pick<IndexRange, 'index' | 'equals' | 'order' | 'limit'>;
  readonly fields: readonly (keyof D & string)[];
  readonly cursor: readonly [name: 'before' | 'after', text: string | undefined];
  readonly keep?: (document: D) => boolean;
}

interface OpeningQuery<D> extends Omit<PageQuery<D>['range'], 'order'>, Pick<PageQuery<D>, 'keep'> {
  /** Newest first by default. */
  readonly order?: 'asc' | 'desc';
  readonly after?: string | undefined;
}

/** Fetches a page of an index that is ordered by `opened`. */
export function fetchPageByOpening<D extends JsonObject & { readonly opened: string }>(
  collection: Collection<D>,
  { order = 'desc', after, keep, ...range }: OpeningQuery<D>,
): Promise<Page<D>> {
  return fetchPage(collection, { range: { ...range, order }, fields: ['opened'], cursor: ['after', after], keep });
}

interface MergedQuery<D> {
  readonly ranges: readonly Pick<IndexRange, 'index' | 'equals'>[];
  /** Remaining fields of each index. */
  readonly fields: readonly (keyof D & string)[];
  readonly limit: number;
  readonly after: string | undefined;
}

/** Fetches a page of several ranges as one list without duplicates, in descending order of the common fields. */
export async function fetchMergedPage<D extends JsonObject>(
  collection: Collection<D>,
  { ranges, fields, limit, after: text }: MergedQuery<D>,
): Promise<Page<D>> {
  const after = text === undefined ? undefined : decodeCursor(text, 'after', fields.length + 1);
  const page = { order: 'desc', limit: limit + 1, ...(after && { after }) } as const;
  const lists = await Promise.all(ranges.map(range => collection.find({ ...range, ...page })));
  const keyOf = ({ id, body }: StoredDocument<D>) => [...fields.map(field => body[field] as Scalar), id];
  const byId = new Map(lists.flat().map(document => [document.id, document]));
  const all = [...byId.values()].sort((one, other) => compareKeys(keyOf(other), keyOf(one)));
  const documents = all.slice(0, limit);
  return { documents, next: all.length > limit ? encodeCursor(keyOf(documents.at(-1)!)) : null };
}

/** The fields of one place have one type. */
function compareKeys(one: readonly Scalar[], other: readonly Scalar[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 ? 0 : one[at]! < other[at]! ? -1 : 1;
}

export async function fetchPage<D extends JsonObject>(
  collection: Collection<D>,
  listing: PageQuery<D>,
): Promise<Page<D>> {
  const { range, fields, cursor, keep = () => true } = listing;
  const [name, text] = cursor;
  let after = text === undefined ? undefined : decodeCursor(text, name, fields.length + 1);
  const documents: StoredDocument<D>[] = [];
  for (let scanned = 0; scanned < SCAN_MAX;) {
    const batch = await collection.find({ ...range, limit: range.limit + 1, ...(after && { after }) });
    for (const document of batch) {
      if (documents.length === range.limit) return { documents, next: after ? encodeCursor(after) : null };
      if (keep(document.body)) documents.push(document);
      after = [...fields.map(field => document.body[field] as Scalar), document.id];
    }
    if (batch.length <= range.limit) return { documents, next: null };
    scanned += batch.length;
  }
  return { documents, next: after ? encodeCursor(after) : null };
}
