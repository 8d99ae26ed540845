import type { IndexRange, PatternQuery, Scalar, TermIntersection } from './document-store.port.js';

export const FIND_MAX = 1_000;
const PATTERN_ENTRIES_MAX = 2_000;

/** Sorts after every id and name. As a cursor it skips all documents with the preceding values. */
export const AFTER_ALL_IDS = '\uffff';

const LIST = '[]';
const SPARSE = '?';

export const listFieldPosition = (fields: readonly string[]) => fields.findIndex(field => field.endsWith(LIST));

export const isSparse = (fields: readonly string[]) => fields[0]!.endsWith(SPARSE);

/** Whether a sparse index has the documents with this value in its first field. */
export const isInSparse = (value: Scalar | undefined) => typeof value === 'string' || Number(value ?? 0) > 0;

export const fieldName = (field: string) => field.replace(/\[\]$|\?$/, '');

/** Number of first fields that each range of the index needs a value for. */
export const countNeeded = (fields: readonly string[]) =>
  Math.max(isSparse(fields) ? 1 : 0, listFieldPosition(fields) + 1);

/**
 * Throws on a range that violates the port's contract: a bug of the caller. A number of at most 0 may come from a
 * request; a sparse index has no document with it.
 */
export function checkRange(range: IndexRange, fields: readonly string[] | undefined): asserts fields {
  if (!fields) throw new Error(`There is no index ${range.index}.`);
  if (range.equals.length > fields.length)
    throw new Error(`The index ${range.index} has only ${fields.length} fields.`);
  if (range.equals.length < countNeeded(fields))
    throw new Error(`The index ${range.index} needs values for its first ${countNeeded(fields)} fields.`);
  if (isSparse(fields) && !isInSparse(range.equals[0]) && typeof range.equals[0] !== 'number')
    throw new Error(`The sparse index ${range.index} does not have ${range.equals[0]}.`);
  const rest = fields.length - range.equals.length + 1;
  if (range.after && range.after.length !== rest)
    throw new Error(`\`after\` needs ${rest} values for the index ${range.index}.`);
  checkLimit(range.limit);
}

function checkLimit(limit: number): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= FIND_MAX) return;
  throw new RangeError(`A page holds 1 to ${FIND_MAX} documents, not ${limit}.`);
}

export function checkIds(ids: readonly string[]): void {
  if (ids.length > FIND_MAX) throw new RangeError(`At most ${FIND_MAX} documents are read at once, not ${ids.length}.`);
}

type ListQuery = Pick<TermIntersection, 'index' | 'equals'>;

export function checkListQuery({ index, equals }: ListQuery, fields: readonly string[] | undefined): asserts fields {
  checkRange({ index, equals: [...equals, ''], order: 'asc', limit: 1 }, fields);
  if (equals.length !== listFieldPosition(fields))
    throw new Error(`The index ${index} needs values for the fields before its list, and no others.`);
}

export function checkPattern(query: PatternQuery, fields: readonly string[] | undefined): asserts fields {
  checkListQuery(query, fields);
  const { within } = query;
  if (!Number.isInteger(within) || within < 1 || within > PATTERN_ENTRIES_MAX)
    throw new RangeError(`A pattern examines 1 to ${PATTERN_ENTRIES_MAX} entries, not ${within}.`);
}

export function checkIntersection(query: TermIntersection, fields: readonly string[] | undefined): asserts fields {
  const { texts, within } = query;
  checkListQuery(query, fields);
  checkRange({ ...query, equals: [...query.equals, ''] }, fields);
  if (texts.length === 0 || texts.some(set => set.length === 0 || new Set(set).size < set.length))
    throw new Error('An intersection needs sets of different texts.');
  checkLimit(within);
}
