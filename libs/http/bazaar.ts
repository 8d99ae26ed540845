import type { JsonObject } from '#libs/kernel/json.js';
import type { Routes } from './routes.js';

const SCHEMA = 'https://json-schema.org/draft/2020-12/schema';

export interface BazaarExtensions {
  readonly header: JsonObject;
  readonly body: JsonObject;
}

/**
 * Describes a paid endpoint to directories. The header only has the sample call, because reverse proxies refuse more
 * than 4 KB of headers. Both parts are empty for a free path.
 */
export function buildBazaarExtensions({ paid }: Routes, path: string): BazaarExtensions {
  const route = paid.find(each => each.path === path);
  if (!route) return { header: {}, body: {} };
  const { request, answer } = route.paid.sample;
  const input = { type: 'http', method: 'POST', bodyType: 'json', body: request };
  const output = { type: 'json', example: answer };
  const schema = extensionSchema(httpInput(withoutFormats(route.schema)));
  return {
    header: { bazaar: { info: { input }, schema: shortSchema(route.schema) } },
    body: { bazaar: { info: { input, output }, schema } },
  };
}

function shortSchema({ required = [] }: JsonObject): JsonObject {
  const input = { type: 'object', properties: { body: { type: 'object', required } }, required: ['body'] };
  return { type: 'object', properties: { input }, required: ['input'] };
}

/** Removes `format`, which directories report as an error. */
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

export function extensionSchema(input: JsonObject): JsonObject {
  const output = {
    type: 'object',
    properties: { type: { type: 'string' }, example: { type: 'object' } },
    required: ['type'],
  };
  return { $schema: SCHEMA, type: 'object', properties: { input, output }, required: ['input'] };
}
