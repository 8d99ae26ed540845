import type { JsonObject } from '#libs/kernel/json.js';

/** Comma separated fields that an unsigned request may also send as an array of strings. */
export const LIST_FIELDS: ReadonlySet<string> = new Set(['skills', 'proofs', 'events']);

export function withArrayForm(name: string, schema: JsonObject): JsonObject {
  if (!LIST_FIELDS.has(name)) return schema;
  const { description, ...text } = schema;
  return {
    ...(description !== undefined && { description }),
    anyOf: [text, { type: 'array', items: { type: 'string' } }],
  };
}
