import type { JsonObject } from '#libs/kernel/json.js';
import type { Routes } from './routes.js';

const SCHEMA = 'https://json-schema.org/draft/2020-12/schema';

/**
 * The `bazaar` extension of an x402 version 2 offer: how the endpoint at a path is called and what it answers, as
 * sample and as JSON Schema, so that a directory can list it. Empty for a path that is not paid.
 */
export function bazaar({ paid }: Routes, path: string): JsonObject {
  const route = paid.find(each => each.path === path);
  if (!route) return {};
  const { request, answer } = route.paid.sample;
  const info = {
    input: { type: 'http', method: 'POST', bodyType: 'json', body: request },
    output: { type: 'json', example: answer },
  };
  return { bazaar: { info, schema: extensionSchema(httpInput(withoutFormats(route.schema))) } };
}

/** Directories validate without knowing any `format`, and complain of each. */
export function withoutFormats(schema: JsonObject): JsonObject {
  const properties = Object.entries(schema['properties'] as { readonly [name: string]: JsonObject });
  const plain = properties.map(([name, { format: _format, ...rest }]) => [name, rest] as const);
  return { ...schema, properties: Object.fromEntries(plain) };
}

const httpInput = (body: JsonObject): JsonObject => ({
  type: 'object',
  properties: {
    type: { type: 'string', const: 'http' },
    method: { type: 'string', enum: ['POST'] },
    bodyType: { type: 'string', enum: ['json'] },
    body,
  },
  required: ['type', 'method', 'bodyType', 'body'],
  additionalProperties: false,
});

/** What the extension's `info` is like, whose `input` is like this. */
export function extensionSchema(input: JsonObject): JsonObject {
  const output = {
    type: 'object',
    properties: { type: { type: 'string' }, example: { type: 'object' } },
    required: ['type'],
  };
  return { $schema: SCHEMA, type: 'object', properties: { input, output }, required: ['input'] };
}
