import { MUSE_ID } from './ids.js';
import { guessLatinLanguage } from './languages.js';
import { foldName } from './name-rules.js';
import { stemEnglish, stemInEachLanguage, stemWord } from './stems.js';
import { foldWord, isUnspacedWord, splitWords, truncateWord } from './words.js';

/** Words with `_`, ids excepted, are also found by their parts. */
const withParts = (words: readonly string[]) => {
  const parts = words.filter(word => word.includes('_') && !MUSE_ID.test(word)).flatMap(word => word.split('_'));
  return [...new Set([...words, ...parts])].filter(Boolean);
};

function listPairs(run: string): string[] {
  const characters = [...foldWord(run)];
  return characters.slice(1).map((character, at) => characters[at]! + character);
}

/** Pairs of neighbours, and the last character: so each character begins a term. */
const listRunTerms = (run: string) => [...listPairs(run), [...foldWord(run)].at(-1)!];

/** Whole words without marks, for names and titles. */
export const extractNameTerms = (text: string): string[] => [
  ...new Set(
    withParts(splitWords(text)).flatMap(word => (isUnspacedWord(word) ? listRunTerms(word) : [foldWord(word)])),
  ),
];

/** Stems of the words, in the language that the text seems to be in. */
export function extractIndexTerms(text: string): string[] {
  const words = withParts(splitWords(text));
  const language = guessLatinLanguage(words);
  return [...new Set(words.flatMap(word => (isUnspacedWord(word) ? listRunTerms(word) : stemWord(word, language))))];
}

export interface SearchWord {
  /** Terms of which a document needs one, whatever its language is. Empty if only a prefix can match. */
  readonly terms: readonly string[];
  /** The word without marks; null for tags and filters, which match as a whole. */
  readonly text: string | null;
}

export const extractQueryWords = (text: string): SearchWord[] =>
  splitWords(text).flatMap((word): SearchWord[] => {
    if (!isUnspacedWord(word)) return [{ terms: stemInEachLanguage(word), text: foldWord(word) }];
    const pairs = listPairs(word);
    return pairs.length === 0
      ? [{ terms: [], text: foldWord(word) }]
      : pairs.map(pair => ({ terms: [pair], text: pair }));
  });

const ALPHABETS = ['abcdefghijklmnopqrstuvwxyz', 'абвгдежзиклмнопрстуфхцчшщъыьэюя'];
const TYPO_CHARACTERS_MIN = 4;
const TYPO_CHARACTERS_MAX = 16;

/** Beginnings of terms, each with the ends that complete it. */
export type TermFamilies = ReadonlyMap<string, readonly string[]>;

const NO_TERMS: TermFamilies = new Map();

/**
 * Terms of a word with one mistake: stems of what may have been meant in English, and stems with one mistake in every
 * language. None for short words and for other characters.
 */
export function listTypoTerms({ terms, text }: SearchWord): TermFamilies {
  const alphabet =
    text === null ? undefined : ALPHABETS.find(letters => [...text].every(each => letters.includes(each)));
  if (alphabet === undefined || text!.length < TYPO_CHARACTERS_MIN || text!.length > TYPO_CHARACTERS_MAX)
    return NO_TERMS;
  const endsByStem = new Map<string, string[]>();
  for (const term of terms) {
    const [stem = '', language] = term.split('.');
    endsByStem.set(stem, [...(endsByStem.get(stem) ?? []), language === undefined ? '' : `.${language}`]);
  }
  const families = new Map<string, readonly string[]>();
  const add = (stem: string, ends: readonly string[]) => {
    const known = families.get(stem);
    families.set(stem, known ? [...known, ...ends] : ends);
  };
  for (const meant of new Set(listMistakes(text!, alphabet).map(stemEnglish))) add(meant, ['']);
  for (const [stem, ends] of endsByStem) for (const mistake of listMistakes(stem, alphabet)) add(mistake, ends);
  return families;
}

function listMistakes(stem: string, alphabet: string): string[] {
  const mistakes = Array.from({ length: stem.length + 1 }, (_, at) => {
    const [before, after] = [stem.slice(0, at), stem.slice(at)];
    const swapped = after.length > 1 ? [before + after[1]! + after[0]! + after.slice(2)] : [];
    const letters = [...alphabet].flatMap(letter => [before + letter + after, before + letter + after.slice(1)]);
    return [...swapped, before + after.slice(1), ...letters];
  });
  return [...new Set(mistakes.flat())];
}

export function toTagTerm(tag: string): string | undefined {
  const [word] = foldName(tag).replace(/^#/, '').split(/[-\s]/);
  return word ? `#${truncateWord(word)}` : undefined;
}
