import type { OtherRoute, ReadRoute, WriteRoute } from '#libs/http/routes.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { limitsText } from '#libs/platform/limits/limit.js';
import * as w from '#libs/values/answer-schema.js';
import { toCamelCase } from '#libs/endpoints/operation.js';
import { type Components, SHARED_FIELD_NAMES, sharedFieldsOf } from './components.js';
import { codesOfOther, codesOfRead, codesOfWrite } from './error-schemas.js';
import { headerRefs, parameterRefs } from './headers.js';
import { failureResponses } from './responses.js';

type WriteDescription = WriteRoute['describe'];

export interface OpenApiOperation {
  readonly path: string;
  readonly method: 'get' | 'post';
  readonly operation: JsonObject;
}

/** `/api/role/:slug` becomes `get_role`. */
export function readName(path: string): string {
  // Keeps `:archive`, because a list and its files are different operations.
  const words = path.split('/').filter(word => !/^(api|:(?!archive$).*)?$/.test(word));
  if (words.length === 0) return path === '/' ? 'get_root' : 'get_api';
  return `get${`/${words.join('/')}`.replace(/[^a-z0-9]+/g, '_')}`;
}

export function writeOperations(route: WriteRoute, components: Components): OpenApiOperation[] {
  const { path, method, operation } = writeOperation(route, components);
  const { requestBody: _body, parameters, ...rest } = operation;
  const query = Object.entries((route.schema['properties'] ?? {}) as { readonly [name: string]: JsonObject });
  const byGet = {
    ...rest,
    operationId: `${route.endpoint}_by_get`,
    security: [{ bearer: [] }],
    parameters: [
      ...query.map(([name, schema]) => parameter('query', name, schema, false, route.describe.example ?? {})),
      ...(parameters as JsonObject[]),
    ],
  };
  return [{ path, method, operation }, ...(route.byGet ? [{ path, method: 'get' as const, operation: byGet }] : [])];
}

function writeOperation(route: WriteRoute, components: Components): OpenApiOperation {
  const { path, endpoint, describe, fieldNames, paid, caller, limits } = route;
  const codes = codesOfWrite(route);
  const payments = paid ? ['paymentSignature', 'xPayment'] : [];
  const shared = caller === 'anyone' ? [] : SHARED_FIELD_NAMES;
  const headerCodes = Object.keys(describe.headers ?? {}).map(name => name.replaceAll('-', '_'));
  const fields = [...fieldNames, ...headerCodes, ...shared, 'idempotency_key', 'min_position'];
  const paidFields = paid ? ['payment_signature', 'x_payment', 'x402_payment'] : [];
  const operation = {
    ...buildOperationHead(endpoint, describe, limitsText(limits)),
    security: SECURITY[caller],
    ...(paid && { 'x-payment-info': paymentInfo(paid.usd) }),
    'x-error-codes': codes,
    parameters: [
      ...parameterRefs('idempotencyKey', 'minPositionOfWrite', ...payments),
      ...Object.entries(describe.headers ?? {}).map(([name, meaning]) => ownHeader(name, meaning)),
    ],
    requestBody: buildRequestBody(requestOf(route), describe.example, needsFields(route.schema)),
    responses: {
      200: buildJsonResponse(components, { operationId: endpoint, ...describe }, { ignored: IGNORED }, [
        'event-position',
        ...LIMITED,
        ...(paid ? SETTLED : []),
      ]),
      ...failureResponses(codes, [...new Set([...fields, ...paidFields])], describe.statuses),
    },
  };
  return { path, method: 'post', operation };
}

const ownHeader = (name: string, description: string): JsonObject => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const LIMITED = ['ratelimit-policy', 'ratelimit'];
const SETTLED = ['PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'];
const IGNORED = {
  type: 'array',
  items: { type: 'string' },
  description: 'Names in the request that this endpoint does not know',
};

/** The empty requirement means: no token, signed in the body. */
const SECURITY: { readonly [caller in WriteRoute['caller']]: JsonObject[] } = {
  anyone: [],
  newKey: [{}],
  recoveryKey: [{}],
  known: [{ bearer: [] }, {}],
  joined: [{ bearer: [] }, {}],
};

function paymentInfo(usd: string | undefined): JsonObject {
  const fixed: JsonObject = usd === undefined ? {} : { price: usd, currency: 'USD' };
  return { protocols: ['x402'], pricingMode: usd === undefined ? 'quote' : 'fixed', ...fixed };
}

function requestOf({ schema: own, caller }: WriteRoute): JsonObject {
  return caller === 'anyone' ? own : { allOf: [sharedFieldsOf(caller), own] };
}

export function readOperation(route: ReadRoute, components: Components): OpenApiOperation {
  const { path, describe, bare, callerParameter } = route;
  const isPrivate = callerParameter !== undefined;
  const operationId = readName(path);
  const codes = codesOfRead(route);
  const { query = {}, example = {} } = describe;
  const operation = {
    ...buildOperationHead(operationId, describe),
    security: isPrivate ? SECURITY.known : [],
    'x-error-codes': codes,
    parameters: [
      ...Object.entries(describe.path ?? {}).map(([name, schema]) => parameter('path', name, schema, true, example)),
      ...Object.entries(query).map(([name, schema]) =>
        parameter('query', name, schema, describe.needed?.includes(name) ?? false, example),
      ),
      ...parameterRefs('minPosition', ...(isPrivate ? [] : (['ifNoneMatch'] as const))),
    ],
    responses: {
      200: isTextResponse(describe)
        ? buildTextResponse(describe)
        : buildJsonResponse(components, { operationId, ...describe }, bare ? null : { ignored: IGNORED }, [
            ...(isPrivate ? [] : (['etag'] as const)),
            ...LIMITED,
          ]),
      ...(!isPrivate && {
        304: {
          description: 'Nothing has changed since that etag',
          headers: headerRefs('etag', 'x-request-id', ...LIMITED),
        },
      }),
      ...failureResponses(codes, [...Object.keys(query), 'min_position']),
    },
  };
  return { path: toPathTemplate(path), method: 'get', operation };
}

export function otherOperation(route: OtherRoute, components: Components): OpenApiOperation {
  const { path, method, describe } = route;
  const codes = codesOfOther(route);
  const { request, example } = describe;
  const httpMethod = method === 'GET' ? 'get' : 'post';
  const operationId = httpMethod === 'get' ? readName(path) : path.split('/').at(-1)!;
  const operation = {
    ...buildOperationHead(operationId, describe),
    security: [],
    'x-error-codes': codes,
    ...(request && {
      requestBody: buildRequestBody(components.schema(request), example, needsFields(request)),
    }),
    responses: {
      200: buildJsonResponse(components, { operationId, ...describe }, { ignored: IGNORED }, []),
      ...failureResponses(codes, Object.keys(request?.properties ?? {})),
    },
  };
  return { path: toPathTemplate(path), method: httpMethod, operation };
}

function buildOperationHead(operationId: string, { summary, details, tag }: WriteDescription, limits = ''): JsonObject {
  const description = [details, limits].filter(Boolean).join('\n\n');
  return { operationId, summary, ...(description && { description }), tags: [tag] };
}

const toPathTemplate = (path: string) => path.replace(/:([a-z_]+)/g, '{$1}');

function parameter(
  place: 'path' | 'query',
  name: string,
  schema: object,
  required: boolean,
  { [name]: example }: JsonObject,
): JsonObject {
  const { description, ...rest } = schema as JsonObject;
  return {
    name,
    in: place,
    required,
    // An empty parameter counts as left out, as forms of browsers send it.
    ...(place === 'query' && !required && { allowEmptyValue: true }),
    ...(description !== undefined && { description }),
    schema: rest,
    ...(example !== undefined && { example: rest['type'] === 'integer' ? Number(example) : example }),
  };
}

const needsFields = ({ required }: { readonly required?: unknown }): boolean =>
  Array.isArray(required) && required.length > 0;

function buildRequestBody(schema: JsonObject, example: Json | undefined, required: boolean): JsonObject {
  const json = { schema, ...(example !== undefined && { example }) };
  return { required, content: { 'application/json': json } };
}

type AnswerDescription = ReadRoute['describe'] & { readonly operationId: string };

/** `more`: members of every response of this kind; null for a response without `ok`. */
function buildJsonResponse(
  components: Components,
  { operationId, answer: own, summary, media = 'application/json' }: AnswerDescription,
  more: JsonObject | null,
  headers: string[],
): JsonObject {
  const { properties, required = [], ...rest } = own as unknown as { properties: JsonObject; required?: string[] };
  const ok = more === null ? {} : { ok: w.literal(true, 'True for a success') };
  const body = { ...rest, properties: { ...ok, ...properties, ...more }, required: [...Object.keys(ok), ...required] };
  const schema = components.schema({ ...body, [w.SHAPE_NAME]: toCamelCase(`_${operationId}_answer`) });
  const example = { ...(more !== null && { ok: true }), ...(exampleOf(own) as JsonObject) };
  return {
    description: summary,
    headers: headerRefs('x-request-id', ...headers),
    content: { [withoutParameters(media)]: { schema, example } },
  };
}

/** External standards may use JSON under their own media type. */
const isTextResponse = ({ media }: ReadRoute['describe']) =>
  media !== undefined && !withoutParameters(media).endsWith('json');

const withoutParameters = (media: string) => media.split(';')[0]!;

function buildTextResponse({ summary, media }: ReadRoute['describe']): JsonObject {
  const content = { [media!]: { schema: { type: 'string' } } };
  return { description: summary, headers: headerRefs('x-request-id', 'etag', ...LIMITED), content };
}

/** Builds a value from the examples of a schema. The schema must not contain references. */
function exampleOf(schema: object): Json {
  const { examples, const: only, enum: values, anyOf, items, properties } = schema as JsonObject;
  if (Array.isArray(examples)) return examples[0] as Json;
  if (only !== undefined) return only;
  if (Array.isArray(values)) return values[0] as Json;
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0] as JsonObject);
  if (items) return [exampleOf(items as JsonObject)];
  if (properties) return exampleOfMembers(properties as { readonly [name: string]: JsonObject });
  return {};
}

function exampleOfMembers(properties: { readonly [name: string]: JsonObject }): JsonObject {
  const usual = Object.entries(properties).filter(([, schema]) => schema[w.SHAPE_RARE] !== true);
  return Object.fromEntries(usual.map(([name, schema]) => [name, exampleOf(schema)]));
}
