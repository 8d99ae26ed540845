import { fieldName } from './index-range.js';

const FIELD = /^[a-z_]+$/;

export function columnOf(field: string): string {
  const name = fieldName(field);
  if (!FIELD.test(name)) throw new Error(`${field} cannot be an indexed field.`);
  return `f_${name}`;
}

/** SQLite sorts texts after numbers, null is minus infinity and false is 0. */
export const sparseCondition = (fields: readonly string[]) => `${columnOf(fields[0]!)} > 0`;

/** Contains the fields, so that a changed declaration gets another index. */
export function indexName(build: string, fields: readonly string[]): string {
  return `${build}:${fields.join(',')}`;
}
