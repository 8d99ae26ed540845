import type { TermIntersection, IndexRange } from './document-store.port.js';

/** The largest page of `find`, and the most ids of `getMany`. */
export const FIND_MAX = 1_000;

/** Above every id and every name that an index holds: where a page goes on behind all of one value. */
export const AFTER_ALL_IDS = '\uffff';

const LIST = '[]';

/** Where among an index's fields the one stands that is a list; -1 where none is. */
export const listFieldPosition = (fields: readonly string[]) => fields.findIndex(field => field.endsWith(LIST));

/** What a field of an index is called in a document. */
export const fieldName = (field: string) => (field.endsWith(LIST) ? field.slice(0, -LIST.length) : field);

/** What the port asks of every range over an index's fields, whatever the adapter. Throws: a bug of the caller. */
export function checkRange(range: IndexRange, fields: readonly string[] | undefined): asserts fields {
  if (!fields) throw new Error(`There is no index ${range.index}.`);
  if (range.equals.length > fields.length) throw new Error(`The index ${range.index} has fewer fields than that.`);
  if (range.equals.length <= listFieldPosition(fields))
    throw new Error(`The index ${range.index} is asked for one of its texts.`);
  const rest = fields.length - range.equals.length + 1;
  if (range.after && range.after.length !== rest)
    throw new Error(`A page of ${range.index} goes on after ${rest} values.`);
  checkLimit(range.limit);
}

function checkLimit(limit: number): void {
  if (Number.isInteger(limit) && limit >= 1 && limit <= FIND_MAX) return;
  throw new RangeError(`A page holds 1 to ${FIND_MAX} documents, not ${limit}.`);
}

/** `getMany` asks for few enough. Throws a `RangeError`. */
export function checkIds(ids: readonly string[]): void {
  if (ids.length > FIND_MAX) throw new RangeError(`At most ${FIND_MAX} documents are read at once, not ${ids.length}.`);
}

/** What the port asks of every meeting in an index's fields, whatever the adapter. Throws: a bug of the caller. */
export function checkIntersection(meeting: TermIntersection, fields: readonly string[] | undefined): asserts fields {
  const { index, equals, texts, within } = meeting;
  checkRange({ ...meeting, equals: [...equals, ...texts.slice(0, 1)] }, fields);
  if (equals.length !== listFieldPosition(fields))
    throw new Error(`The index ${index} is asked for texts of its list.`);
  if (texts.length < 2 || new Set(texts).size < texts.length) throw new Error('What meets is two texts, or more.');
  checkLimit(within);
}
