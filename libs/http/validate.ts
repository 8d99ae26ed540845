import { validateSync } from 'class-validator';
import type { RequestFields } from '#libs/kernel/event.js';
import { FieldRefusal } from '#libs/kernel/refusal.js';
import { fieldsOf } from './fields.js';

export type DtoClass<T extends object = object> = new () => T;

/** The request's fields as the endpoint's class, and the names of fields that it does not know. Throws a 400 that names the first bad field. */
export function validate<T extends object>(dto: DtoClass<T>, fields: RequestFields): { dto: T; ignored: string[] } {
  const known = new Set(fieldsOf(dto).map(({ name }) => name));
  const entries = Object.entries(fields);
  const instance = Object.assign(new dto(), Object.fromEntries(entries.filter(([name]) => known.has(name))));
  const [error] = validateSync(instance, { stopAtFirstError: true, forbidUnknownValues: false });
  if (error) {
    const sentence = Object.values(error.constraints ?? {})[0] ?? `${error.property} is malformed.`;
    throw new FieldRefusal(error.property, sentence);
  }
  return { dto: instance, ignored: entries.map(([name]) => name).filter(name => !known.has(name)) };
}
