import type { Json, JsonObject } from '#libs/kernel/json.js';
import { UNTRUSTED_SCHEMA } from './untrusted.js';
import type { Tool } from './tool.js';

/** How deep an answer is described; what lies deeper stands in the OpenAPI description. */
const DEPTH_MAX = 2;

const FAILURE: JsonObject = {
  description: 'It was refused',
  type: 'object',
  properties: {
    ok: { const: false },
    error: { type: 'string', description: 'Sentence for people' },
    code: { type: 'string', description: 'A word that stays the same' },
    retryable: { type: 'boolean', description: 'Whether the same call can succeed later' },
    what_to_do: { type: 'string' },
  },
  required: ['ok', 'error', 'code', 'retryable', 'what_to_do'],
};

const OFFER: JsonObject = {
  description: 'It has to be paid for: an x402 offer, version 2',
  type: 'object',
  properties: {
    x402Version: { const: 2 },
    error: { type: 'string' },
    resource: { type: 'object' },
    accepts: { type: 'array', items: { type: 'object' } },
    unsigned: { type: 'string', description: 'Why nobody is known by the call; paying for it needs a token' },
  },
  required: ['x402Version', 'accepts'],
};

/**
 * What a tool answers, as JSON Schema. Older clients hold a failure too against it, so it is a union of all that there
 * can be, and an object at its root.
 */
export function outputSchemaOf({ method, route }: Tool): JsonObject & { readonly type: 'object' } {
  const { properties, required = [] } = outlineSchema(
    route.describe.answer as unknown as Json,
    0,
  ) as unknown as Described;
  const success = {
    description: 'It is done',
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

/** A schema without examples, formats and deep members. */
function outlineSchema(schema: Json, depth: number): Json {
  if (Array.isArray(schema)) return schema.map(each => outlineSchema(each as Json, depth));
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).filter(([name]) => !OMITTED_KEYWORDS.has(name) && !name.startsWith('x-'));
  const isDeep = depth >= DEPTH_MAX && entries.some(([name]) => name === 'properties');
  const kept = isDeep ? entries.filter(([name]) => !['properties', 'required'].includes(name)) : entries;
  return Object.fromEntries(kept.map(([name, value]) => [name, outlineMember(name, value, depth)]));
}

/** Under `properties` stand names of members, which may be those of keywords. */
function outlineMember(name: string, value: Json, depth: number): Json {
  if (name !== 'properties') return outlineSchema(value, name === 'items' ? depth : depth + 1);
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, each]) => [key, outlineSchema(each, depth + 1)]),
  );
}
