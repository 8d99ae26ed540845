import 'reflect-metadata';
import { getMetadataStorage, registerDecorator, validateSync, type ValidationArguments } from 'class-validator';
import type { RequestFields } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { refuseFields } from '#libs/kernel/refusal.js';
import type { FieldFault, Reason } from '#libs/kernel/reasons.js';
import type { Fields, RequestField } from './fields.js';
import { withArrayForm } from './list-fields.js';

/** The class of one operation's requests, whose properties class-validator checks. */
export type RequestClass = new () => object;

/**
 * class-validator looks for what a class inherits among those of all operations, and puts it into order, at each request.
 * These inherit nothing, and get no other property once they are made: what was found of one stays.
 */
function keepMetadata(): void {
  const storage = getMetadataStorage();
  const find = storage.getTargetValidationMetadatas.bind(storage);
  const group = storage.groupByPropertyName.bind(storage);
  const found = new Map<unknown, ReturnType<typeof find>>();
  const grouped = new WeakMap<object, ReturnType<typeof group>>();
  storage.getTargetValidationMetadatas = (of, ...options) => kept(found, of, () => find(of, ...options));
  storage.groupByPropertyName = metadata => kept(grouped, metadata, () => group(metadata));
}

function kept<K, V>(known: { get(key: K): V | undefined; set(key: K, value: V): unknown }, key: K, make: () => V): V {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

keepMetadata();

/** Makes the class of a request from its fields. */
export function requestClass(name: string, fields: Fields): RequestClass {
  const made = { [name]: class {} }[name]!;
  for (const [property, field] of Object.entries(fields)) register(made, property, field);
  return made;
}

function register(target: RequestClass, name: string, field: RequestField): void {
  registerDecorator({
    name: 'field',
    target,
    propertyName: name,
    validator: {
      validate: (value: unknown) => isRight(field, value),
      defaultMessage: (args?: ValidationArguments) => sentenceOf(name, field, args?.value),
    },
  });
}

const isMissing = (value: unknown) => value === undefined || value === '';

function isRight({ check, presence }: RequestField, value: unknown): boolean {
  if (isMissing(value)) return presence !== 'needed';
  return typeof value === 'string' && value.isWellFormed() && check.holds(value);
}

function sentenceOf(name: string, { check, presence }: RequestField, value: unknown): string {
  if (isMissing(value) && presence === 'needed') return `${name} is needed.`;
  const { at, mustBe } = (typeof value === 'string' && check.problem?.(value)) || { at: '', mustBe: check.mustBe };
  return `${name}${at} must be ${mustBe}.`;
}

function reasonOf({ check }: RequestField, value: unknown): Reason {
  if (isMissing(value)) return 'missing';
  if (typeof value !== 'string') return 'not_text';
  if (!value.isWellFormed()) return 'forbidden_characters';
  return check.fault?.(value) ?? 'malformed';
}

const faultOf = (name: string, field: RequestField, value: unknown): FieldFault => ({
  field: name,
  reason: reasonOf(field, value),
  error: sentenceOf(name, field, value),
});

/** What is wrong with what was sent, in the order in which the fields are declared. */
export function faultsIn(request: RequestClass, fields: Fields, sent: RequestFields): FieldFault[] {
  const known = Object.entries(sent).filter(([name]) => Object.hasOwn(fields, name));
  // Of a class without fields there is nothing to check, which costs its look-up all the same.
  if (Object.keys(fields).length === 0) return [];
  const instance = Object.assign(new request(), Object.fromEntries(known));
  const errors = validateSync(instance, { stopAtFirstError: true, forbidUnknownValues: false });
  return errors.map(({ property, value }) => faultOf(property, fields[property]!, value));
}

/** The same of single fields, which have no class of their own. */
export function faultsInSome(fields: Fields, sent: RequestFields): FieldFault[] {
  const wrong = Object.entries(fields).filter(([name, field]) => !isRight(field, sent[name]));
  return wrong.map(([name, field]) => faultOf(name, field, sent[name]));
}

/** Checks what was sent; answers the names of fields that are not known. Throws a 400 that names every bad field. */
export function checkFields(request: RequestClass, fields: Fields, sent: RequestFields): string[] {
  refuseFields(faultsIn(request, fields, sent));
  return Object.keys(sent).filter(name => !Object.hasOwn(fields, name));
}

/** The fields of a request as JSON Schema (2020-12). */
export function requestSchema(fields: Fields): JsonObject {
  const entries = Object.entries(fields);
  const described = entries.map(([name, { check, meaning }]) => [
    name,
    withArrayForm(name, { ...check.schema, ...(meaning && { description: meaning }) }),
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(described) as JsonObject,
    required: entries.filter(([, { presence }]) => presence === 'needed').map(([name]) => name),
  };
}
