/**
 * What a terminal acts on instead of showing it: C0, DEL and C1, which move the cursor, colour, rename windows and
 * answer as if typed, and what turns the direction of text around (Unicode's Bidi_Control).
 */
const CONTROL_CHARACTERS = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const HEXADECIMAL = 16;
const DIGITS = 4;

/** As JSON writes it, so that a JSON text stays the same value. */
const escapeCharacter = (character: string) =>
  `\\u${character.charCodeAt(0).toString(HEXADECIMAL).padStart(DIGITS, '0')}`;

/** A text of any origin as it may be written to a terminal: only its line breaks do something. */
export const escapeControls = (text: string): string => text.replace(CONTROL_CHARACTERS, escapeCharacter);

/** The same where a text of any origin is to stay within its line. */
export const escapeLine = (text: string): string => escapeControls(text).replaceAll('\n', escapeCharacter);
