/** Characters that control a terminal instead of being shown: C0, DEL, C1 and Unicode's Bidi_Control. */
const CONTROL_CHARACTERS = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const HEXADECIMAL = 16;
const DIGITS = 4;

/** Uses JSON's escapes, so that JSON output keeps its value. */
const escapeCharacter = (character: string) =>
  `\\u${character.charCodeAt(0).toString(HEXADECIMAL).padStart(DIGITS, '0')}`;

/** Escapes everything that controls a terminal, except line breaks. */
export const escapeControls = (text: string): string => text.replace(CONTROL_CHARACTERS, escapeCharacter);

/** Also escapes line breaks, so that the text stays within its line. */
export const escapeLine = (text: string): string => escapeControls(text).replaceAll('\n', escapeCharacter);
