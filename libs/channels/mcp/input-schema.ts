import { IDEMPOTENCY_KEY_FORM } from '#libs/http/write-pipeline.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { IDEMPOTENCY_KEY, TOKEN } from './arguments.js';
import { pathNames, type Tool } from './tool.js';

const TOKEN_FIELD: JsonObject = {
  type: 'string',
  description: 'Your token, as `quickstart` answered it; left out where the connection sends it already',
};
const KEY_FIELD: JsonObject = {
  type: 'string',
  pattern: IDEMPOTENCY_KEY_FORM.source,
  description: 'Chosen at random, one for each thing that you mean to do, and the same one again on a retry',
};
const PAID_KEY_FIELD: JsonObject = {
  ...KEY_FIELD,
  description: 'Chosen at random, one for each purchase: the same one with the payment, and again on a retry',
};

/** Keywords that every host knows; some refuse the whole list of tools for another one, such as `format`. */
const KEYWORDS: ReadonlySet<string> = new Set(
  'type description enum default anyOf items pattern minLength maxLength minimum maximum'.split(' '),
);

const pickKnownKeywords = (schema: Json): Json =>
  Object.fromEntries(Object.entries(schema as JsonObject).filter(([keyword]) => KEYWORDS.has(keyword)));

/** The arguments of a tool as JSON Schema: the fields of its route, and the values of its headers. */
export function inputSchemaOf(tool: Tool): JsonObject & { readonly type: 'object' } {
  const { properties, required } = tool.method === 'GET' ? fieldsOfRead(tool) : fieldsOfWrite(tool);
  const known = Object.entries(properties).map(([name, schema]) => [name, pickKnownKeywords(schema)] as const);
  return { type: 'object', properties: Object.fromEntries(known), ...(required.length > 0 && { required }) };
}

interface Fields {
  readonly properties: JsonObject;
  readonly required: readonly string[];
}

function fieldsOfRead({ route: { path, describe } }: Tool & { readonly method: 'GET' }): Fields {
  const properties = { ...describe.path, ...describe.query } as JsonObject;
  return { properties, required: [...pathNames(path), ...(describe.needed ?? [])] };
}

function fieldsOfWrite({ route: { schema, caller, paid }, hints }: Tool & { readonly method: 'POST' }): Fields {
  const own = (schema['properties'] ?? {}) as JsonObject;
  const token: JsonObject = caller === 'anyone' ? {} : { [TOKEN]: TOKEN_FIELD };
  const key: JsonObject = hints.readOnlyHint ? {} : { [IDEMPOTENCY_KEY]: paid ? PAID_KEY_FIELD : KEY_FIELD };
  return { properties: { ...own, ...token, ...key }, required: (schema['required'] ?? []) as readonly string[] };
}
