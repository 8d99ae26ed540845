import type { AnyEventType } from '#libs/domain/define.js';
import type { FieldDeclarations, FieldValues } from '#libs/validation/request-fields.js';
import { ANY_TEXT, notInEvents } from './decision.js';

const isNeeded = ({ presence, unless }: FieldDeclarations[string]) => presence === 'needed' || unless !== undefined;

/** Value of a field that its event shows as null: hidden if it is needed, else cleared or left out. */
const unseen = (field: FieldDeclarations[string]) =>
  isNeeded(field) ? ANY_TEXT : field.presence === 'clearable' ? null : undefined;

/** Fields of a hidden request, as its event shows them under their names. */
export const shownFields = <F extends FieldDeclarations>(declared: F, data: object) =>
  Object.fromEntries(
    Object.entries(data)
      .filter(([name]) => Object.hasOwn(declared, name))
      .map(([name, value]) => [name, value ?? unseen(declared[name]!)]),
  ) as FieldValues<F>;

/** `fieldsFromEvent` of a command whose event has the names of its fields. Throws if a field that it needs has another. */
export function fieldsByName(name: string, declared: FieldDeclarations, [first]: readonly AnyEventType[]) {
  if (!first) return notInEvents;
  const members = Object.keys((first.versions.at(-1)!.schema as { readonly properties: object }).properties);
  const missing = Object.keys(declared).find(field => isNeeded(declared[field]!) && !members.includes(field));
  if (missing !== undefined)
    throw new Error(`${name}: ${first.type} does not show ${missing}: say how auditors find it.`);
  return ({ data }: { readonly data: object }) => shownFields(declared, data);
}
