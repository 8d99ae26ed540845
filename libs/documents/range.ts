import type { Range } from './port.js';

/** The largest page of `find`, and the most ids of `getMany`. */
export const FIND_MAX = 1_000;

/** Above every id and every name that an index holds: where a page goes on behind all of one value. */
export const BEHIND_IDS = '\uffff';

const LIST = '[]';

/** Where among an index's fields the one stands that is a list; -1 where none is. */
export const listAt = (fields: readonly string[]) => fields.findIndex(field => field.endsWith(LIST));

/** What a field of an index is called in a document. */
export const fieldName = (field: string) => (field.endsWith(LIST) ? field.slice(0, -LIST.length) : field);

/** What the port asks of every range over an index's fields, whatever the adapter. Throws: a bug of the caller. */
export function checkRange(range: Range, fields: readonly string[] | undefined): asserts fields {
  if (!fields) throw new Error(`There is no index ${range.index}.`);
  if (range.equals.length > fields.length) throw new Error(`The index ${range.index} has fewer fields than that.`);
  if (range.equals.length <= listAt(fields)) throw new Error(`The index ${range.index} is asked for one of its texts.`);
  const rest = fields.length - range.equals.length + 1;
  if (range.after && range.after.length !== rest)
    throw new Error(`A page of ${range.index} goes on after ${rest} values.`);
  if (Number.isInteger(range.limit) && range.limit >= 1 && range.limit <= FIND_MAX) return;
  throw new RangeError(`A page holds 1 to ${FIND_MAX} documents, not ${range.limit}.`);
}

/** `getMany` asks for few enough. Throws a `RangeError`. */
export function checkIds(ids: readonly string[]): void {
  if (ids.length > FIND_MAX) throw new RangeError(`At most ${FIND_MAX} documents are read at once, not ${ids.length}.`);
}
