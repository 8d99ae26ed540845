import { fieldName, isSparse } from './index-range.js';

const FIELD = /^[a-z_]+$/;

export function columnOf(field: string): string {
  const name = fieldName(field);
  if (!FIELD.test(name)) throw new Error(`${field} cannot be an indexed field.`);
  return `f_${name}`;
}

/** Whether an index has the row, by its first value. SQLite sorts texts after numbers; null is minus infinity, false 0. */
export const indexCondition = (fields: readonly string[], first = columnOf(fields[0]!)) =>
  isSparse(fields) ? `${first} > 0` : 'TRUE';

/** Contains the fields, so that a changed declaration gets another index. */
export function indexName(build: string, fields: readonly string[]): string {
  return `${build}:${fields.join(',')}`;
}
