import { type CharacterProperties, findCharacterProperties, foldCase } from './characters.js';
import { foldName, normaliseName, toCompatibleText } from './name-rules.js';

const WORD_CHARACTERS_MAX = 40;

/** Scripts without spaces between words. A run of their characters counts as one word. */
const UNSPACED_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const ASCII = /^[\0-\x7f]*$/;
const ASCII_WORD = /[a-z0-9_]+/g;

export const isAscii = (text: string) => ASCII.test(text);

/** Distinct words with their marks, case-folded with the pinned Unicode table. `_` joins words, as in ids. */
export function splitWords(text: string): string[] {
  const words = isAscii(text)
    ? (text.toLowerCase().match(ASCII_WORD) ?? []).map(truncateWord)
    : splitMarkedWords(foldMarked(text));
  return [...new Set(words)].filter(word => word !== '_');
}

export const isUnspacedWord = (word: string) =>
  !isAscii(word) && isUnspaced(findCharacterProperties(word.codePointAt(0)!));

/** Without marks, so that a search ignores accents. */
export const foldWord = (word: string) => (isAscii(word) ? word : foldName(word));

export const truncateWord = (word: string) =>
  word.length > WORD_CHARACTERS_MAX ? [...word].slice(0, WORD_CHARACTERS_MAX).join('') : word;

const foldMarked = (text: string) => foldCase(toCompatibleText(normaliseName(text))).normalize('NFC');

function splitMarkedWords(folded: string): string[] {
  const words: string[] = [];
  let word = '';
  let isRun = false;
  const flush = () => {
    if (word) words.push(isRun ? word : truncateWord(word));
    word = '';
  };
  for (const character of folded) {
    const properties = findCharacterProperties(character.codePointAt(0)!);
    if (properties === null || properties.kind === 'unseen') continue;
    const isInRun = isUnspaced(properties);
    if (isInRun && properties.kind === 'mark') continue;
    if (isInRun !== isRun || !isWordCharacter(character, properties)) flush();
    isRun = isInRun;
    if (isWordCharacter(character, properties)) word += character;
  }
  flush();
  return words;
}

const isWordCharacter = (character: string, { kind }: CharacterProperties) =>
  character === '_' || kind === 'letter' || kind === 'mark' || kind === 'number';

const isUnspaced = (properties: CharacterProperties | null) => {
  const { kind, scripts } = properties ?? { kind: 'else', scripts: null };
  return scripts !== null && kind !== 'else' && UNSPACED_SCRIPTS.some(script => scripts.has(script));
};
