import 'reflect-metadata';
import { registerDecorator, validateSync, type ValidationArguments } from 'class-validator';
import type { RequestFields } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import type { Fields, RequestField } from './fields.js';

/** The class of one operation's requests, whose properties class-validator checks. */
export type RequestClass = new () => object;

/** Makes the class of a request from its fields. */
export function requestClass(name: string, fields: Fields): RequestClass {
  const made = { [name]: class {} }[name]!;
  for (const [property, field] of Object.entries(fields)) register(made, property, field);
  return made;
}

function register(target: RequestClass, name: string, { check, presence }: RequestField): void {
  registerDecorator({
    name: 'field',
    target,
    propertyName: name,
    validator: {
      validate: (value: unknown) =>
        isMissing(value)
          ? presence !== 'needed'
          : typeof value === 'string' && value.isWellFormed() && check.holds(value),
      defaultMessage: (args?: ValidationArguments) =>
        isMissing(args?.value) && presence === 'needed' ? `${name} is needed.` : `${name} must be ${check.mustBe}.`,
    },
  });
}

const isMissing = (value: unknown) => value === undefined || value === '';

/** Checks what was sent; answers the names of fields that are not known. Throws a 400 that names the first bad field. */
export function checkFields(request: RequestClass, fields: Fields, sent: RequestFields): string[] {
  const known = Object.entries(sent).filter(([name]) => Object.hasOwn(fields, name));
  const instance = Object.assign(new request(), Object.fromEntries(known));
  const [error] = validateSync(instance, { stopAtFirstError: true, forbidUnknownValues: false });
  if (error) {
    fieldRule(false, error.property, Object.values(error.constraints ?? {})[0] ?? `${error.property} is malformed.`);
  }
  return Object.keys(sent).filter(name => !Object.hasOwn(fields, name));
}

/** The fields of a request as JSON Schema (2020-12). */
export function requestSchema(fields: Fields): JsonObject {
  const entries = Object.entries(fields);
  const described = entries.map(([name, { check, meaning }]) => [
    name,
    { ...check.schema, ...(meaning && { description: meaning }) },
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(described) as JsonObject,
    required: entries.filter(([, { presence }]) => presence === 'needed').map(([name]) => name),
  };
}
