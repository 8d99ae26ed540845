/** Marks over or under a letter, and characters that nobody sees: with them names differ and look alike. */
const UNSEEN = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu;

/** A name without regard to case, width and look-alike marks: NFKC, marks dropped, upper then lower case. */
export function foldName(name: string): string {
  const plain = name.normalize('NFKC').normalize('NFD').replace(UNSEEN, '').normalize('NFKC');
  return plain.toUpperCase().toLowerCase().replace(/\s+/g, ' ').trim();
}
