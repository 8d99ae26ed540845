import type { RequestFields } from '#libs/kernel/event.js';
import type { FieldFault } from '#libs/kernel/reasons.js';
import type { Fields } from './fields.js';

/**
 * What is drawn as nothing: Default_Ignorable_Code_Point (Unicode 17, DerivedCoreProperties) and the empty pattern of
 * Braille, from each first code point to the last. Written out, since it must be the same on every version of Node.
 */
const UNSEEN = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfff8],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
] as const;

const isUnseen = (character: string) => {
  const codePoint = character.codePointAt(0)!;
  return UNSEEN.some(([first, last]) => codePoint >= first && codePoint <= last);
};

/** What most texts have: nothing else of them has to be looked at. */
const SEEN = /[!-~]/;

/** Whether nobody sees anything of a text; what is spaces alone is each field's own matter. */
function isEmpty(text: string): boolean {
  if (SEEN.test(text)) return false;
  const characters = [...text];
  return characters.some(isUnseen) && characters.every(each => isUnseen(each) || each.trim() === '');
}

/**
 * The known fields whose text is of characters that nobody sees: it counts as empty, and would stand as a name or text
 * that is none. Looked at as a request comes in and not as it is decided again: what was taken earlier stays right.
 */
export const unseenIn = (fields: Fields, sent: RequestFields): FieldFault[] =>
  Object.keys(fields)
    .filter(field => isEmpty(sent[field] ?? ''))
    .map(field => ({ field, reason: 'forbidden_characters', error: `${field} must hold something that is seen.` }));
