import { isJsonObject, type Json, type JsonObject } from '#libs/kernel/json.js';

const clearValue = (value: Json): Json =>
  isJsonObject(value) && typeof value['sealed'] === 'string' ? (value['value'] ?? null) : value;

export function clearMembers(members: JsonObject): JsonObject {
  const clear: { [name: string]: Json } = { ...members };
  for (const [name, value] of Object.entries(members)) clear[name] = clearValue(value);
  return clear;
}
