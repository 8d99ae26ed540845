import { fieldName } from './index-range.js';

const FIELD = /^[a-z_]+$/;

/** Every column that a declared field has: `profile` is in `f_profile`. */
export function columnOf(field: string): string {
  const name = fieldName(field);
  if (!FIELD.test(name)) throw new Error(`${field} cannot be an indexed field.`);
  return `f_${name}`;
}

/** An index is named after its fields, so that one declared differently is another one. */
export function indexName(build: string, fields: readonly string[]): string {
  return `${build}:${fields.join(',')}`;
}
