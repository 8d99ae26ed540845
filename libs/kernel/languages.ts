import { stopwords as dutch } from '@orama/stopwords/dutch';
import { stopwords as english } from '@orama/stopwords/english';
import { stopwords as french } from '@orama/stopwords/french';
import { stopwords as german } from '@orama/stopwords/german';
import { stopwords as italian } from '@orama/stopwords/italian';
import { stopwords as portuguese } from '@orama/stopwords/portuguese';
import { stopwords as spanish } from '@orama/stopwords/spanish';
import { stopwords as swedish } from '@orama/stopwords/swedish';
import { findCharacterProperties } from './characters.js';
import { isAscii, isUnspacedWord, splitWords } from './words.js';

/** Languages in Latin script that a text can be in, by ISO 639-1 code. The first one wins a tie. */
export const LATIN_LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv'] as const;
export type LatinLanguage = (typeof LATIN_LANGUAGES)[number];

const STOPWORDS: { readonly [language in LatinLanguage]: ReadonlySet<string> } = {
  en: new Set(english),
  de: new Set(german),
  fr: new Set(french),
  es: new Set(spanish),
  it: new Set(italian),
  pt: new Set(portuguese),
  nl: new Set(dutch),
  sv: new Set(swedish),
};

/** Letters with marks that are frequent in a language. They decide on titles without stop words. */
const LETTERS: { readonly [language in LatinLanguage]?: RegExp } = {
  de: /[äöü]/,
  fr: /[éèêëàâçîïô\u0153ùû]/,
  es: /[ñáéíóú]/,
  it: /[àèìòù]/,
  pt: /[ãõâêçáéíóú]/,
  sv: /[åäö]/,
};

/** Other scripts, each with its most frequent language. Han beside Kana is Japanese. */
const SCRIPTS: readonly (readonly [script: string, language: string])[] = [
  ['Hiragana', 'ja'],
  ['Katakana', 'ja'],
  ['Han', 'zh'],
  ['Hangul', 'ko'],
  ['Cyrillic', 'ru'],
  ['Greek', 'el'],
  ['Arabic', 'ar'],
  ['Hebrew', 'he'],
  ['Devanagari', 'hi'],
  ['Thai', 'th'],
  ['Lao', 'lo'],
  ['Khmer', 'km'],
  ['Myanmar', 'my'],
];
/** Every language that `guessLanguage` returns. */
export const GUESSED_LANGUAGES: readonly string[] = [
  ...new Set([...LATIN_LANGUAGES, ...SCRIPTS.map(([, language]) => language), 'uk']),
];
// Bundles have only single-byte characters, and esbuild escapes those in texts alone.
const UKRAINIAN = /[\u0456\u0457\u0454\u0491]/;
/** A character of a script without spaces counts as half a word. */
const CHARACTER_WEIGHT = 0.5;

/** Null for Latin letters and for other characters. */
function findScript(character: string): string | null {
  if (isAscii(character)) return null;
  const { scripts, kind } = findCharacterProperties(character.codePointAt(0)!) ?? { scripts: null, kind: 'else' };
  if (kind !== 'letter' || scripts === null) return null;
  return SCRIPTS.find(([script]) => scripts.has(script))?.[0] ?? null;
}

export const findWordScript = (word: string) => findScript(String.fromCodePoint(word.codePointAt(0)!));

/** Guesses the language of a text by its scripts, stop words and letters. English without evidence. */
export function guessLanguage(text: string): string {
  const words = splitWords(text);
  const weights = new Map<string, number>();
  for (const word of words)
    for (const character of isUnspacedWord(word) ? word : word.slice(0, 1)) {
      const language = SCRIPTS.find(([script]) => script === findScript(character))?.[1];
      const weight = isUnspacedWord(word) ? CHARACTER_WEIGHT : 1;
      if (language !== undefined) weights.set(language, (weights.get(language) ?? 0) + weight);
    }
  const latin = words.filter(word => findWordScript(word) === null);
  const [largest] = [...weights].sort(([, weight], [, other]) => other - weight);
  if (!largest || largest[1] < latin.filter(word => /[a-z]/.test(word)).length) return guessLatinLanguage(latin);
  if (largest[0] === 'zh' && weights.has('ja')) return 'ja';
  return largest[0] === 'ru' && words.some(word => UKRAINIAN.test(word)) ? 'uk' : largest[0];
}

export function guessLatinLanguage(words: readonly string[]): LatinLanguage {
  const telling = words.filter(word => word.length > 1);
  const scoreOf = (language: LatinLanguage) =>
    telling.filter(word => STOPWORDS[language].has(word) || (!isAscii(word) && LETTERS[language]?.test(word))).length;
  const scores = LATIN_LANGUAGES.map(language => [language, scoreOf(language)] as const);
  return scores.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}
