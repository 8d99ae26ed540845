import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { findWordScript, LATIN_LANGUAGES, type LatinLanguage } from './languages.js';
import { foldWord } from './words.js';

/** `transcribe` and `transcription` share no stem of Snowball, nor do `describe` and `description`. */
const joinScribes = (stem: string) => stem.replace(/(?<=.)script?$/, 'scrib');

export const stemEnglish = (word: string) => joinScribes(english(word));

const STEMMERS: { readonly [language in LatinLanguage]: (word: string) => string } = {
  en: stemEnglish,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  pt: portuguese,
  nl: dutch,
  sv: swedish,
};

/** Below this length a stem has too little left of the word: `one` would be `on`. */
const STEM_CHARACTERS_MIN = 3;

/** No word contains a dot. Without the tag, the Italian stem of `note` would be the English `not`. */
const tagged = (stem: string, language: LatinLanguage) => (language === 'en' ? stem : `${stem}.${language}`);

const CACHED_MAX = 10_000;
/** Plain maps that are emptied when full: an LRU cache costs as much as the stemmer. */
const caches = new Map(LATIN_LANGUAGES.map(language => [language, new Map<string, readonly string[]>()]));

/** Stems of a word in one language: with its marks and, where that differs, without them. */
export function stemWord(word: string, language: LatinLanguage): readonly string[] {
  const cache = caches.get(language)!;
  const cached = cache.get(word);
  if (cached) return cached;
  const stems = computeStems(word, language);
  if (cache.size >= CACHED_MAX) cache.clear();
  cache.set(word, stems);
  return stems;
}

/** Stems of a word in every language, and the word itself, which names are indexed by. */
export const stemInEachLanguage = (word: string): string[] => [
  ...new Set([foldWord(word), ...LATIN_LANGUAGES.flatMap(language => stemWord(word, language))]),
];

function computeStems(word: string, language: LatinLanguage): string[] {
  const folded = foldWord(word);
  const script = findWordScript(word);
  if (/[0-9_]/.test(word) || (script !== null && script !== 'Cyrillic')) return [folded];
  const stem = script === null ? STEMMERS[language] : russian;
  const stems = [...new Set([word, folded])].map(form => foldWord(stem(form)));
  return [...new Set(stems.map(each => (each.length < STEM_CHARACTERS_MIN ? folded : each)))].map(each =>
    script === null ? tagged(each, language) : each,
  );
}
