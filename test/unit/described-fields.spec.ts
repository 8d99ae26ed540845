import { expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { ApiDescription } from '#libs/endpoints/openapi/api-description.js';
import { ROUTES } from '#libs/service/routes.js';

const document = new ApiDescription({ baseUrl: 'https://jobs.example' }, 'service-v1', ROUTES).document();

interface Named {
  readonly name: string;
  readonly description?: string;
}

/** Members of a request: body properties, including referenced schemas, and parameters. */
function membersOf(operation: JsonObject): Named[] {
  const body = operation['requestBody'] as { content: { [media: string]: { schema: JsonObject } } } | undefined;
  const parameters = (operation['parameters'] ?? []) as unknown as Named[];
  const schemas = Object.values(body?.content ?? {}).map(({ schema }) => schema);
  return [...parameters.filter(({ name }) => name !== undefined), ...schemas.flatMap(inSchema)];
}

function inSchema(schema: JsonObject): Named[] {
  const parts = (schema['allOf'] ?? []) as JsonObject[];
  const named = typeof schema['$ref'] === 'string' ? [referred(schema['$ref'])] : [];
  const own = Object.entries((schema['properties'] ?? {}) as { [name: string]: { description?: string } });
  return [...own.map(([name, of]) => ({ name, ...of })), ...[...parts, ...named].flatMap(inSchema)];
}

const referred = (ref: string): JsonObject =>
  ref
    .slice('#/'.length)
    .split('/')
    .reduce((at, name) => at[name] as JsonObject, document);

const operations = Object.entries(document['paths'] as { [path: string]: { [method: string]: JsonObject } });
const members = operations.flatMap(([path, methods]) =>
  Object.values(methods).flatMap(operation => membersOf(operation).map(member => ({ path, ...member }))),
);

test('every request field and parameter has a description', () => {
  expect(members.length).toBeGreaterThan(150);
  const silent = members.filter(({ description = '' }) => description.trim().length < 3);
  expect(silent.map(({ path, name }) => `${path} ${name}`)).toEqual([]);
});
