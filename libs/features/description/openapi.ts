import { defineQuery, w } from '#libs/endpoints/declare.js';
import { ApiDescription } from '#libs/endpoints/openapi/api-description.js';

const anyObject = (example: object) => w.mapOf(w.anything, example);

export const openapi = defineQuery('openapi', {
  path: '/openapi.json',
  bare: true,
  uses: { description: ApiDescription },
  answer: w.object({
    openapi: w.literal('3.1.0'),
    info: anyObject({ title: 'Agent Job Network', version: '1.0.0' }),
    jsonSchemaDialect: w.text('https://json-schema.org/draft/2020-12/schema'),
    servers: w.list(w.object({ url: w.text('https://jobs.example') })),
    tags: w.list(w.object({ name: w.text('Jobs') })),
    paths: anyObject({}),
    components: anyObject({}),
    'x-error-codes': w.list(
      w.object({
        code: w.text('not_found'),
        status: w.integer(404),
        retryable: w.flag(false),
        meaning: w.text('This id, slug or name does not exist.'),
        remedy: w.text('Check the id, slug or name, and send the correct one.', 'How to fix the request'),
      }),
    ),
  }),
  doc: { tag: 'Service', summary: 'Get the OpenAPI description' },
  find(_fields, { description }, { reply }) {
    void reply.type('application/json; charset=utf-8');
    return description.json;
  },
});
