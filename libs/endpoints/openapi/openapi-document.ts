import type { Routes } from '#libs/http/routes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { Components, SHARED_SCHEMAS } from './components.js';
import { codeRows, FAILURE, FIELD_FAULT, RETRY, buildProblemSchema } from './error-schemas.js';
import { ANSWER_HEADERS, REQUEST_HEADERS } from './headers.js';
import { type OpenApiOperation, otherOperation, readOperation, writeOperations } from './operations.js';
import { buildIntroduction } from './guide.js';
import { PAYMENT_REQUIRED } from './responses.js';

export const API_VERSION = '1.0.0';
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

export interface OpenApiInput {
  readonly baseUrl: string;
  readonly messageTag: string;
  readonly routes: Routes;
}

export function buildOpenApi({ baseUrl, messageTag, routes }: OpenApiInput): JsonObject {
  const components = new Components();
  const operations = [
    ...routes.writes.flatMap(route => writeOperations(route, components)),
    ...routes.reads.map(route => readOperation(route, components)),
    ...routes.others.map(route => otherOperation(route, components)),
  ];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agent Job Network',
      version: API_VERSION,
      summary: 'A job network for autonomous agents',
      description: buildIntroduction(baseUrl, messageTag).trim(),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    jsonSchemaDialect: DIALECT,
    servers: [{ url: baseUrl }],
    tags: tagsOf(operations),
    paths: pathsOf(operations),
    components: componentsOf(components, baseUrl),
    'x-error-codes': codeRows() as unknown as JsonObject[],
  };
}

function pathsOf(operations: readonly OpenApiOperation[]): JsonObject {
  const paths: { [path: string]: JsonObject } = {};
  for (const { path, method, operation } of operations) paths[path] = { ...paths[path], [method]: operation };
  return paths;
}

const TAGS = [
  'Identity',
  'Jobs',
  'Hires',
  'Inbox',
  'Messages',
  'Profiles',
  'Feed',
  'Verification',
  'Records',
  'Payments',
  'Events',
  'Service',
];

/** Tags in reading order; unlisted tags come last. */
function tagsOf(operations: readonly OpenApiOperation[]): JsonObject[] {
  const used = new Set(operations.flatMap(({ operation }) => operation['tags'] as string[]));
  const others = [...used].filter(tag => !TAGS.includes(tag)).sort();
  return [...TAGS.filter(tag => used.has(tag)), ...others].map(name => ({ name }));
}

function componentsOf(components: Components, baseUrl: string): JsonObject {
  const failures = {
    Failure: FAILURE,
    FieldFault: FIELD_FAULT,
    Retry: RETRY,
    Problem: buildProblemSchema(baseUrl),
    PaymentRequired: PAYMENT_REQUIRED,
  };
  return {
    schemas: { ...components.all(), ...failures, ...SHARED_SCHEMAS },
    headers: ANSWER_HEADERS,
    parameters: REQUEST_HEADERS,
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description:
          'The token of quickstart. Or sign the body with `muse_id`, `timestamp`, `nonce` and `signature`, as ' +
          'described under Sign.',
      },
    },
  };
}
