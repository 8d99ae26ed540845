import { type CharacterProperties, findCharacterProperties } from './characters.js';
import { MUSE_ID } from './ids.js';
import { foldName } from './name-rules.js';

/** What of a longer word counts, in characters. */
const TERM_CHARACTERS_MAX = 40;
const PREFIX_CHARACTERS_MIN = 2;

/** Scripts that put no space between words: each of their letters is looked for as a word. */
const UNSPACED_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const ASCII = /^[\0-\x7f]*$/;
const ASCII_WORD = /[a-z0-9_]+/g;

/**
 * The words of a text, each once, without regard to case, width and marks: what is a letter follows from the table of
 * characters and not from the machine's own version of Unicode. Words that `_` joins, as an id, are one.
 */
export function extractTerms(text: string): string[] {
  const words = ASCII.test(text) ? (text.toLowerCase().match(ASCII_WORD) ?? []) : splitTerms(foldName(text));
  return [...new Set(words.map(truncateTerm))].filter(word => word !== '_');
}

/** The words that a text is found by: its own, and the parts of those that `_` joins. */
export function extractIndexTerms(text: string): string[] {
  const words = extractTerms(text);
  const parts = words.filter(word => word.includes('_') && !MUSE_ID.test(word)).flatMap(word => word.split('_'));
  return [...new Set([...words, ...parts])].filter(Boolean);
}

/** A word with what it begins with, from two characters on. */
export function listTermPrefixes(word: string): string[] {
  const characters = [...word];
  const lengths = characters.map((_character, at) => at + 1).filter(length => length >= PREFIX_CHARACTERS_MIN);
  return [...new Set([...lengths.map(length => characters.slice(0, length).join('')), word])];
}

/** A tag as it is looked for, with its `#`; undefined for what is none. */
export function toTagTerm(tag: string): string | undefined {
  const [word] = foldName(tag).replace(/^#/, '').split(/[-\s]/);
  return word ? `#${truncateTerm(word)}` : undefined;
}

const truncateTerm = (word: string) =>
  word.length > TERM_CHARACTERS_MAX ? [...word].slice(0, TERM_CHARACTERS_MAX).join('') : word;

function splitTerms(folded: string): string[] {
  const words: string[] = [];
  let word = '';
  const end = () => {
    if (word) words.push(word);
    word = '';
  };
  for (const character of folded) {
    const known = findCharacterProperties(character.codePointAt(0)!);
    const isAlone = isUnspaced(known);
    if (isAlone || !isTermCharacter(character, known)) end();
    if (isAlone) words.push(character);
    else if (isTermCharacter(character, known)) word += character;
  }
  end();
  return words;
}

const isTermCharacter = (character: string, known: CharacterProperties | null) =>
  character === '_' || known?.kind === 'letter' || known?.kind === 'mark' || known?.kind === 'number';

const isUnspaced = (known: CharacterProperties | null) => {
  const { scripts } = known ?? { scripts: null };
  return scripts !== null && known?.kind !== 'else' && UNSPACED_SCRIPTS.some(script => scripts.has(script));
};
