import { base36 } from './ids.js';

export const NAME_CHARACTERS_MIN = 2;
export const NAME_CHARACTERS_MAX = 40;
export const SUFFIX_CHARACTERS = 4;

/** A name as it is kept: leading, trailing and doubled spaces folded. */
export const tidyName = (name: string) => name.trim().replace(/\s+/g, ' ');

/** Characters that tell two of the same name apart. */
export const suffix = (...parts: (string | number)[]) => base36(SUFFIX_CHARACTERS, 'suffix', ...parts);

/** Marks over or under a letter, and characters that nobody sees: with them names differ and look alike. */
const UNSEEN = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * A name without regard to case, width and look-alike marks: NFKC, marks dropped, then lower, upper and lower case,
 * which makes one letter of all its cases (`ẞ`, `ß`, `SS`).
 */
export function foldName(name: string): string {
  const plain = name.normalize('NFKC').normalize('NFD').replace(UNSEEN, '').normalize('NFKC');
  return plain.toLowerCase().toUpperCase().toLowerCase().replace(/\s+/g, ' ').trim();
}
