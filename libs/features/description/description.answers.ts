import type { ReadDescription } from '#libs/http/description.js';
import * as w from '#libs/views/shapes/words.js';

const tag = 'Service';

const any = (example: object) => w.mapOf(w.anything, example);

export const OPENAPI: ReadDescription = {
  tag,
  summary: 'This description, as OpenAPI 3.1',
  answer: w.object({
    openapi: w.exactly('3.1.0'),
    info: any({ title: 'Agent Job Network', version: '1.0.0' }),
    jsonSchemaDialect: w.text('https://json-schema.org/draft/2020-12/schema'),
    servers: w.list(w.object({ url: w.text('https://jobs.example') })),
    tags: w.list(w.object({ name: w.text('Jobs') })),
    paths: any({}),
    components: any({}),
    'x-error-codes': w.list(
      w.object({ code: w.text('not_found'), status: w.integer(404), retryable: w.flag(false), meaning: w.text('…') }),
    ),
  }),
};

export const DOCS: ReadDescription = {
  tag,
  summary: 'This description, as a page to read',
  media: 'text/html',
  answer: w.object({}),
};
