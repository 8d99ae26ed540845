import 'reflect-metadata';
import { getMetadataStorage, ValidateIf, validateSync } from 'class-validator';
import type { RequestFields } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { refuseFields } from '#libs/kernel/refusal.js';
import type { FieldFault, Reason } from '#libs/kernel/field-faults.js';
import { constraint, type Constraint, isText, isWellFormed } from '#libs/values/constraint.js';
import {
  type FieldDeclarations,
  pickKnownFields,
  type RequestField,
  parseFieldValues,
  withArrayForm,
} from './request-fields.js';

export interface RequestClass<F extends FieldDeclarations = FieldDeclarations> {
  new (): object;
  readonly fields: F;
}

export function requestClass<F extends FieldDeclarations>(name: string, fields: F): RequestClass<F> {
  const requestType = {
    [name]: class {
      static readonly fields = fields;
    },
  }[name]!;
  for (const [property, field] of Object.entries(fields))
    for (const decorate of fieldDecorators(property, field)) decorate(requestType.prototype, property);
  return requestType;
}

const isMissing = (value: unknown) => value === undefined || value === '';

const isGiven = constraint('isGiven', 'missing', value => !isMissing(value));

/** Keeps the rules of each class: at every validation class-validator searches those of all classes for a parent. */
function keepRules(): void {
  const storage = getMetadataStorage();
  const search = storage.getTargetValidationMetadatas.bind(storage);
  const kept = new WeakMap<object, ReturnType<typeof search>>();
  storage.getTargetValidationMetadatas = (target, ...options) => {
    const rules = kept.get(target) ?? search(target, ...options);
    kept.set(target, rules);
    return rules;
  };
}
keepRules();

/** In the order of the reasons: missing, not a text, forbidden characters, and the rules of the value. */
function fieldDecorators(name: string, { value, presence, unless }: RequestField): PropertyDecorator[] {
  const isNeeded = (sent: RequestFields) => presence === 'needed' || (unless !== undefined && isMissing(sent[unless]));
  const rules = [isGiven, isText as Constraint, isWellFormed, ...value.rules].map(({ decorate, reason }) =>
    decorate({ message: ({ value: text }) => describeFault(name, value, text), context: { reason } }),
  );
  return [ValidateIf((sent: RequestFields, text) => !isMissing(text) || isNeeded(sent)), ...rules];
}

function describeFault(name: string, value: RequestField['value'], text: unknown): string {
  if (isMissing(text)) return `\`${name}\` is needed.`;
  const { at, mustBe } = (typeof text === 'string' && value.locateFault?.(text)) || { at: '', mustBe: value.mustBe };
  return `\`${name}${at}\` must be ${mustBe}.`;
}

export function findFieldFaults(request: RequestClass, sent: RequestFields): FieldFault[] {
  const { fields } = request;
  // class-validator looks up metadata even for a class without fields.
  if (Object.keys(fields).length === 0) return [];
  const instance = Object.assign(new request(), pickKnownFields(fields, sent));
  const errors = validateSync(instance, { stopAtFirstError: true, forbidUnknownValues: false });
  return errors.map(({ property: field, constraints, contexts }) => {
    const [[broken, error]] = Object.entries(constraints!) as [[string, string]];
    const { reason } = contexts![broken] as { readonly reason: Reason };
    return { field, reason, error };
  });
}

/** `ignored`: names of unknown fields. Throws a 400 that names every bad field. */
export function parseFields<F extends FieldDeclarations>(request: RequestClass<F>, sent: RequestFields) {
  refuseFields(findFieldFaults(request, sent));
  return parseValidFields(request.fields, sent);
}

export function parseValidFields<F extends FieldDeclarations>(fields: F, sent: RequestFields) {
  const ignored = Object.keys(sent).filter(name => !Object.hasOwn(fields, name));
  const declared = pickKnownFields(fields, sent);
  return { sent: declared, values: parseFieldValues(fields, declared), ignored };
}

export function requestSchema(fields: FieldDeclarations): JsonObject {
  const entries = Object.entries(fields);
  const described = entries.map(([name, { value, meaning }]) => [
    name,
    withArrayForm(name, { ...value.schema, ...(meaning && { description: meaning }) }),
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(described) as JsonObject,
    required: entries.filter(([, { presence }]) => presence === 'needed').map(([name]) => name),
  };
}
