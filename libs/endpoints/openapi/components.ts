import { SHAPE_NAME, SHAPE_RARE } from '#libs/views/shapes/answer-schema.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';

export class Components {
  private readonly named = new Map<string, Json>();

  schema(schema: object): JsonObject {
    return this.put(schema as JsonObject) as JsonObject;
  }

  all(): JsonObject {
    return Object.fromEntries([...this.named].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  private put(schema: Json): Json {
    if (Array.isArray(schema)) return schema.map(each => this.put(each as Json));
    if (typeof schema !== 'object' || schema === null) return schema;
    const { [SHAPE_NAME]: name, [SHAPE_RARE]: _rare, ...rest } = schema as JsonObject;
    if (typeof name !== 'string') return this.members(rest);
    if (!this.named.has(name)) {
      this.named.set(name, {});
      this.named.set(name, this.members(rest));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Examples and defaults are values, even if a member has the name of a schema key. */
  private members(schema: JsonObject): JsonObject {
    const values = ['examples', 'default', 'const', 'enum'];
    const entries = Object.entries(schema).map(([key, value]) => [key, values.includes(key) ? value : this.put(value)]);
    return Object.fromEntries(entries) as JsonObject;
  }
}
