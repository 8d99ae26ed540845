import type { RequestFields } from '#libs/kernel/event.js';
import type { FieldFault } from '#libs/kernel/field-faults.js';
import { hasTagCharacters, isInvisible } from '#libs/values/invisible-characters.js';
import type { FieldDeclarations, RequestField } from './request-fields.js';

const isEmptyPart = (part: string) => part.trim() === '' || isInvisible(part);

function findInvisibleFaults(field: string, { value }: RequestField, text: string): FieldFault[] {
  const fault = (must: string): FieldFault[] => [
    { field, reason: 'forbidden_characters', error: `\`${field}\` must ${must}.` },
  ];
  const parts = value.dropsInvisible ? text.split(',').filter(part => !isEmptyPart(part)) : [text];
  if (parts.some(isInvisible)) return fault('contain at least one visible character');
  return parts.some(hasTagCharacters) ? fault('not contain invisible tag characters (U+E0000 to U+E007F)') : [];
}

/** Runs only when a request arrives, so that a replay never refuses a recorded one. */
export const findInvisibleFieldFaults = (fields: FieldDeclarations, sent: RequestFields): FieldFault[] =>
  Object.entries(fields).flatMap(([name, field]) => findInvisibleFaults(name, field, sent[name] ?? ''));
