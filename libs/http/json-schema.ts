import { fieldsOf } from './fields.js';
import type { DtoClass } from './validate.js';
import type { JsonObject } from '#libs/kernel/json.js';

/** A request class as JSON Schema (2020-12): what its field decorators say. */
export function requestSchema(dto: DtoClass): JsonObject {
  const fields = fieldsOf(dto);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema as JsonObject])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  };
}
