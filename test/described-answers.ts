import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { ApiDescription } from '#libs/endpoints/openapi/api-description.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { ROUTES } from '#libs/service/routes.js';

const LOOSE = ['Failure', 'Retry', 'Problem', 'PaymentRequired', 'SignedFields', 'FieldsSignedByNewKey'];

/** Forbids undeclared members, so that a response cannot contain more than the description. */
function strictSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strictSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([name, value]) => [
    name,
    LOOSE.includes(name) ? value : strictSchema(value),
  ]);
  const { properties, allOf, $ref, additionalProperties } = schema as JsonObject;
  const closed = properties && typeof properties === 'object' && additionalProperties === undefined;
  const keyword = allOf || $ref ? 'unevaluatedProperties' : 'additionalProperties';
  return { ...(Object.fromEntries(entries) as object), ...(closed && { [keyword]: false }) };
}

const pointer = (...words: readonly string[]) =>
  words.map(word => encodeURIComponent(word.replace(/~/g, '~0').replace(/\//g, '~1'))).join('/');

export class AnswerChecks {
  private readonly checks = new Map<string, ValidateFunction>();
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uri: true } });

  constructor({ paths, components }: JsonObject) {
    this.ajv.addSchema(strictSchema({ paths, components }) as object, 'api');
  }

  check(...words: readonly string[]): (value: unknown) => string | null {
    const ref = `api#/${pointer(...words)}`;
    const validate: ValidateFunction = this.checks.get(ref) ?? this.ajv.compile({ $ref: ref });
    this.checks.set(ref, validate);
    return value => (validate(value) ? null : (validate.errors ?? []).map(sentenceOf).join('; '));
  }
}

function sentenceOf({ instancePath, message, params }: ErrorObject): string {
  const { additionalProperty, unevaluatedProperty } = params as { readonly [keyword: string]: string };
  const member = additionalProperty ?? unevaluatedProperty;
  return [`data${instancePath}`, message, ...(member === undefined ? [] : [`(${member})`])].join(' ');
}

const WRITES = new Set(ROUTES.writes.map(({ path }) => path));
let checks: AnswerChecks | undefined;

export function undescribedIn(target: string, answer: JsonObject): string | null {
  const path = target.split('?')[0]!;
  if (answer['ok'] !== true || !WRITES.has(path)) return null;
  checks ??= new AnswerChecks(new ApiDescription({ baseUrl: '' }, 'service-v1', ROUTES).document());
  return checks.check('paths', path, 'post', 'responses', '200', 'content', 'application/json', 'schema')(answer);
}
