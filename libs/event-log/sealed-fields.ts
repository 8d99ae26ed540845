import type { SealedValue } from '#libs/kernel/event.js';
import type { Json } from '#libs/kernel/json.js';
import { sealAll, unsealAll } from '#libs/platform/signing/seal.js';

export interface Fields {
  [name: string]: Json;
}

/** Sorted, because all values of one key are sealed as one text. */
export const listPresent = (fields: Fields, names: readonly string[]) =>
  names.filter(name => fields[name] !== undefined && fields[name] !== null).sort();

function replaceFields(fields: Fields, names: readonly string[], values: readonly Json[]): Fields {
  const replaced = { ...fields };
  names.forEach((name, at) => (replaced[name] = values[at]!));
  return replaced;
}

export const eraseFields = (fields: Fields, names: readonly string[]) =>
  names.length === 0 ? fields : replaceFields(fields, names, Array<null>(names.length).fill(null));

const buildAssociatedData = (id: string, fields: readonly string[]) => `${id}\n${fields.join()}`;

export function sealFields(key: Buffer | null, id: string, fields: Fields, names: readonly string[]): Fields {
  const open = listPresent(fields, names);
  if (key === null || open.length === 0) return eraseFields(fields, open);
  const texts = open.map(name => JSON.stringify(fields[name]));
  const sealed = sealAll(key, buildAssociatedData(id, open), texts).map(text => ({ sealed: text }));
  return replaceFields(fields, open, sealed);
}

export function openFields(key: Buffer | null, id: string, fields: Fields, names: readonly string[]): Fields {
  const closed = listPresent(fields, names);
  if (key === null || closed.length === 0) return eraseFields(fields, closed);
  const sealed = closed.map(name => (fields[name] as unknown as SealedValue).sealed);
  const texts = unsealAll(key, buildAssociatedData(id, closed), sealed);
  return replaceFields(
    fields,
    closed,
    texts.map(text => JSON.parse(text) as Json),
  );
}
