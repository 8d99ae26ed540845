import type { JsonObject } from '#libs/kernel/json.js';

/** The comma separated fields that a request without a signature may also send as an array of strings. */
export const LIST_FIELDS: ReadonlySet<string> = new Set(['skills', 'proofs', 'events']);

/** The JSON Schema of a field, with its array form where it has one. */
export function withArrayForm(name: string, schema: JsonObject): JsonObject {
  if (!LIST_FIELDS.has(name)) return schema;
  const { description, ...text } = schema;
  return {
    ...(description !== undefined && { description }),
    anyOf: [text, { type: 'array', items: { type: 'string' } }],
  };
}
