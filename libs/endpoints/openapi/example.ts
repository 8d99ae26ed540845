import { SHAPE_RARE } from '#libs/views/shapes/answer-schema.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';

/** Builds a value from the examples of a schema. The schema must not contain references. */
export function exampleOf(schema: object): Json {
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
  const usual = Object.entries(properties).filter(([, schema]) => schema[SHAPE_RARE] !== true);
  return Object.fromEntries(usual.map(([name, schema]) => [name, exampleOf(schema)]));
}
