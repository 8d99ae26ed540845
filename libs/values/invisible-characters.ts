/**
 * Default_Ignorable_Code_Point (Unicode 17, DerivedCoreProperties) and the blank Braille pattern. A fixed table,
 * because the result must not depend on the version of Node.
 */
const INVISIBLE_RANGES = [
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

const isInvisibleCharacter = (character: string) => {
  const codePoint = character.codePointAt(0)!;
  return INVISIBLE_RANGES.some(([first, last]) => codePoint >= first && codePoint <= last);
};

const VISIBLE_ASCII = /[!-~]/;

export function isInvisible(text: string): boolean {
  if (VISIBLE_ASCII.test(text)) return false;
  const characters = [...text];
  return (
    characters.some(isInvisibleCharacter) && characters.every(each => isInvisibleCharacter(each) || each.trim() === '')
  );
}

/** Tag characters spell text that people cannot see and models read. */
const TAG_CHARACTER = /[\u{e0000}-\u{e007f}]/u;
/** Subdivision flag (UTS 51, ED-14a): black flag, region and subdivision in tag characters, end tag. */
const SUBDIVISION_FLAG =
  /\u{1f3f4}(?:[\u{e0061}-\u{e007a}]{2}|[\u{e0030}-\u{e0039}]{3})[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,4}\u{e007f}/gu;

export const hasTagCharacters = (text: string) =>
  TAG_CHARACTER.test(text) && TAG_CHARACTER.test(text.replace(SUBDIVISION_FLAG, ''));
