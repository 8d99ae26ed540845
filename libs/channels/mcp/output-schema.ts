import type { Json, JsonObject } from '#libs/kernel/json.js';
import { UNTRUSTED_SCHEMA } from './untrusted.js';
import type { Tool } from './tool.js';

/** Deeper members are only in the OpenAPI description. */
const DEPTH_MAX = 2;

const FAILURE: JsonObject = {
  description: 'The call failed',
  type: 'object',
  properties: {
    ok: { const: false },
    error: { type: 'string', description: 'Sentence for people' },
    code: { type: 'string', description: 'A stable code' },
    retryable: { type: 'boolean', description: 'Whether a retry can succeed' },
    what_to_do: { type: 'string' },
  },
  required: ['ok', 'error', 'code', 'retryable', 'what_to_do'],
};

const OFFER: JsonObject = {
  description: 'The call must be paid: an x402 offer, version 2',
  type: 'object',
  properties: {
    x402Version: { const: 2 },
    error: { type: 'string' },
    resource: { type: 'object' },
    accepts: { type: 'array', items: { type: 'object' } },
    unsigned: { type: 'string', description: 'Why the call is not authenticated. Paying needs a token' },
  },
  required: ['x402Version', 'accepts'],
};

/**
 * Older clients validate failures against the output schema too, so it is a union of all results, with an object at its
 * root.
 */
export function outputSchemaOf({ method, route }: Tool): JsonObject & { readonly type: 'object' } {
  const { properties, required = [] } = outlineSchema(
    route.describe.answer as unknown as Json,
    0,
  ) as unknown as Described;
  const success = {
    description: 'The call succeeded',
    type: 'object',
    properties: { ok: { const: true }, untrusted: UNTRUSTED_SCHEMA, ...properties },
    required: ['ok', ...required],
  };
  const isPaid = method === 'POST' && route.paid !== undefined;
  return { type: 'object', anyOf: isPaid ? [success, FAILURE, OFFER] : [success, FAILURE] };
}

interface Described {
  readonly properties: JsonObject;
  readonly required?: readonly string[];
}

const OMITTED_KEYWORDS = new Set(['examples', 'format']);

function outlineSchema(schema: Json, depth: number): Json {
  if (Array.isArray(schema)) return schema.map(each => outlineSchema(each as Json, depth));
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([name]) => !OMITTED_KEYWORDS.has(name) && !name.startsWith('x-'));
  const isDeep = depth >= DEPTH_MAX && entries.some(([name]) => name === 'properties');
  const visible = isDeep ? entries.filter(([name]) => !['properties', 'required'].includes(name)) : entries;
  return Object.fromEntries(visible.map(([name, value]) => [name, outlineMember(name, value, depth)]));
}

/** Members of `properties` are names, even if they look like keywords. */
function outlineMember(name: string, value: Json, depth: number): Json {
  if (name !== 'properties') return outlineSchema(value, name === 'items' ? depth : depth + 1);
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, each]) => [key, outlineSchema(each, depth + 1)]),
  );
}
