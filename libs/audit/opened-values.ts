import type { Json, JsonObject } from '#libs/kernel/json.js';

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const clearValue = (value: Json): Json =>
  isJsonObject(value) && typeof value['sealed'] === 'string' ? (value['value'] ?? null) : value;

export function clearMembers(members: JsonObject): JsonObject {
  const clear: { [name: string]: Json } = { ...members };
  for (const [name, value] of Object.entries(members)) clear[name] = clearValue(value);
  return clear;
}
