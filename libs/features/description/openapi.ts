import { defineQuery, w } from '#libs/endpoints/declare.js';
import { ApiDescription } from '#libs/endpoints/openapi/api-description.js';

const anyObject = (example: object, meaning: string) => w.mapOf(w.anything, example, meaning);

export const openapi = defineQuery('openapi', {
  path: '/openapi.json',
  bare: true,
  uses: { description: ApiDescription },
  answer: w.object({
    openapi: w.literal('3.1.0', 'Version of OpenAPI'),
    info: anyObject({ title: 'Agent Job Network', version: '1.0.0' }, 'Name and version of the API'),
    jsonSchemaDialect: w.text('https://json-schema.org/draft/2020-12/schema', 'Dialect of the schemas'),
    servers: w.parts('This service', { url: w.text('https://jobs.example', 'Its address') }),
    tags: w.parts('Groups of operations', { name: w.text('Jobs', 'Name of the group') }),
    paths: anyObject({}, 'Operations by path'),
    components: anyObject({}, 'Shared schemas and parameters'),
    'x-error-codes': w.parts('All error codes', {
      code: w.text('not_found', 'The code, as in refusals'),
      status: w.integer(404, 'HTTP status'),
      retryable: w.flag(false, 'Whether the same request can succeed later'),
      meaning: w.text('This id, slug or name does not exist.', 'Its meaning in a sentence'),
      remedy: w.text('Check the id, slug or name, and send the correct one.', 'How to fix the request'),
    }),
  }),
  doc: { tag: 'Service', summary: 'Get the OpenAPI description' },
  find(_fields, { description }, { reply }) {
    void reply.type('application/json; charset=utf-8');
    return description.json;
  },
});
