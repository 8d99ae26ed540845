import { MUSE_ID } from './ids.js';
import { guessLatinLanguage } from './languages.js';
import { foldName } from './name-rules.js';
import { stemInEachLanguage, stemWord } from './stems.js';
import { foldWord, splitWords, truncateWord } from './words.js';

const PREFIX_CHARACTERS_MIN = 2;

/** Words with `_`, ids excepted, are also found by their parts. */
const withParts = (words: readonly string[]) => {
  const parts = words.filter(word => word.includes('_') && !MUSE_ID.test(word)).flatMap(word => word.split('_'));
  return [...new Set([...words, ...parts])].filter(Boolean);
};

/** Whole words without marks, for names. */
export const extractNameTerms = (text: string): string[] => [...new Set(withParts(splitWords(text)).map(foldWord))];

/** Stems of the words, in the language that the text seems to be in. */
export function extractIndexTerms(text: string): string[] {
  const words = withParts(splitWords(text));
  const language = guessLatinLanguage(words);
  return [...new Set(words.flatMap(word => stemWord(word, language)))];
}

/** For each word of a query the terms of which a document needs one, whatever its language is. */
export const extractQueryTerms = (text: string): string[][] => splitWords(text).map(stemInEachLanguage);

export function listTermPrefixes(word: string): string[] {
  const characters = [...word];
  const lengths = characters.map((_character, at) => at + 1).filter(length => length >= PREFIX_CHARACTERS_MIN);
  return [...new Set([...lengths.map(length => characters.slice(0, length).join('')), word])];
}

export function toTagTerm(tag: string): string | undefined {
  const [word] = foldName(tag).replace(/^#/, '').split(/[-\s]/);
  return word ? `#${truncateWord(word)}` : undefined;
}
