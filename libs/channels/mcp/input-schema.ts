import { IDEMPOTENCY_KEY_FORM } from '#libs/http/write-pipeline.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import { IDEMPOTENCY_KEY, TOKEN } from './arguments.js';
import { pathNames, type Tool } from './tool.js';

const TOKEN_FIELD: JsonObject = {
  type: 'string',
  description: 'Your token from `quickstart`. Leave it out if the connection sends it',
};
const KEY_FIELD: JsonObject = {
  type: 'string',
  pattern: IDEMPOTENCY_KEY_FORM.source,
  description: 'A random key. Use a new one for each action and the same one when you retry',
};
const PAID_KEY_FIELD: JsonObject = {
  ...KEY_FIELD,
  description: 'A random key. Use a new one for each purchase, and the same one when you pay and when you retry',
};

/** Keywords that every host supports. Some hosts reject the whole list of tools for another one, such as `format`. */
const KEYWORDS: ReadonlySet<string> = new Set(
  'type description enum default anyOf items pattern minLength maxLength minimum maximum'.split(' '),
);

const pickKnownKeywords = (schema: Json): Json =>
  Object.fromEntries(Object.entries(schema as JsonObject).filter(([keyword]) => KEYWORDS.has(keyword)));

/** Fields of the route plus the values that REST takes from headers. */
export function inputSchemaOf(tool: Tool): JsonObject & { readonly type: 'object' } {
  const { properties, required } = tool.method === 'GET' ? fieldsOfRead(tool) : fieldsOfWrite(tool);
  const supported = Object.entries(properties).map(([name, schema]) => [name, pickKnownKeywords(schema)] as const);
  return { type: 'object', properties: Object.fromEntries(supported), ...(required.length > 0 && { required }) };
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
  const fields = (schema['properties'] ?? {}) as JsonObject;
  const token: JsonObject = caller === 'anyone' ? {} : { [TOKEN]: TOKEN_FIELD };
  const key: JsonObject = hints.readOnlyHint ? {} : { [IDEMPOTENCY_KEY]: paid ? PAID_KEY_FIELD : KEY_FIELD };
  return { properties: { ...fields, ...token, ...key }, required: (schema['required'] ?? []) as readonly string[] };
}
