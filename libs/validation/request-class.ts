import 'reflect-metadata';
import { registerDecorator, validateSync, type ValidationArguments } from 'class-validator';
import type { RequestFields } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { refuseFields } from '#libs/kernel/refusal.js';
import type { FieldFault, Reason } from '#libs/kernel/field-faults.js';
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
  for (const [property, field] of Object.entries(fields)) registerField(requestType, property, field);
  return requestType;
}

function registerField(target: RequestClass, name: string, field: RequestField): void {
  registerDecorator({
    name: 'field',
    target,
    propertyName: name,
    validator: {
      validate: (value: unknown, args?: ValidationArguments) => isValidField(field, value, args?.object),
      defaultMessage: (args?: ValidationArguments) => buildFaultMessage(name, field, args?.value),
    },
  });
}

const isMissing = (value: unknown) => value === undefined || value === '';

function isValidField({ check, presence, unless }: RequestField, value: unknown, sent: object = {}): boolean {
  if (isMissing(value))
    return presence !== 'needed' && (unless === undefined || !isMissing((sent as RequestFields)[unless]));
  return typeof value === 'string' && value.isWellFormed() && check.accepts(value);
}

function buildFaultMessage(name: string, { check }: RequestField, value: unknown): string {
  if (isMissing(value)) return `${name} is needed.`;
  const { at, mustBe } = (typeof value === 'string' && check.locateFault?.(value)) || {
    at: '',
    mustBe: check.expectation,
  };
  return `${name}${at} must be ${mustBe}.`;
}

function classifyFieldFault({ check }: RequestField, value: unknown): Reason {
  if (isMissing(value)) return 'missing';
  if (typeof value !== 'string') return 'not_text';
  if (!value.isWellFormed()) return 'forbidden_characters';
  return check.fault?.(value) ?? 'malformed';
}

export function findFieldFaults(request: RequestClass, sent: RequestFields): FieldFault[] {
  const { fields } = request;
  // class-validator looks up metadata even for a class without fields.
  if (Object.keys(fields).length === 0) return [];
  const instance = Object.assign(new request(), pickKnownFields(fields, sent));
  const errors = validateSync(instance, { stopAtFirstError: true, forbidUnknownValues: false });
  return errors.map(({ property: field, value, constraints }) => ({
    field,
    reason: classifyFieldFault(fields[field]!, value),
    error: constraints!['field']!,
  }));
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
