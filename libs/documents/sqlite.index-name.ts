import { fieldName } from './index-range.js';

const FIELD = /^[a-z_]+$/;

export function columnOf(field: string): string {
  const name = fieldName(field);
  if (!FIELD.test(name)) throw new Error(`${field} cannot be an indexed field.`);
  return `f_${name}`;
}

/** Contains the fields, so that a changed declaration gets another index. */
export function indexName(build: string, fields: readonly string[]): string {
  return `${build}:${fields.join(',')}`;
}
