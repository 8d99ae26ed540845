import { ANY_TEXT } from '#libs/endpoints/decision.js';
import { PROFILE_FIELDS } from '#libs/domain/profile-fields.js';
import type { FieldDeclarations, FieldValues } from '#libs/validation/request-fields.js';

const unseen = (name: string) =>
  Array.isArray(PROFILE_FIELDS[name as keyof typeof PROFILE_FIELDS].unset) ? [ANY_TEXT] : ANY_TEXT;

/** The profile fields of a hidden request, as its event shows them. A cleared text looks like a hidden one. */
export function shownProfile<F extends FieldDeclarations>(declared: F, data: object): FieldValues<F> {
  const isDeclared = (name: string) => Object.hasOwn(declared, name) && Object.hasOwn(PROFILE_FIELDS, name);
  const shown = Object.entries(data).filter(([name]) => isDeclared(name));
  return Object.fromEntries(shown.map(([name, value]) => [name, value ?? unseen(name)])) as FieldValues<F>;
}
