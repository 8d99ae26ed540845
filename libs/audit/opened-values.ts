import type { Json, JsonObject } from '#libs/kernel/json.js';

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value in clear: what is sealed and not shown is null. */
const clearValue = (value: Json): Json =>
  isJsonObject(value) && typeof value['sealed'] === 'string' ? (value['value'] ?? null) : value;

/** Members of a public event in clear. */
export function clearMembers(members: JsonObject): JsonObject {
  const all: { [name: string]: Json } = { ...members };
  for (const name of Object.keys(all)) all[name] = clearValue(all[name]!);
  return all;
}
