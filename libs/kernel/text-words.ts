import { type Character, characterOf } from './characters.js';
import { MUSE_ID } from './ids.js';
import { foldName } from './names.js';

/** What of a longer word counts, in characters. */
const WORD_CHARACTERS_MAX = 40;
const BEGINNING_CHARACTERS_MIN = 2;

/** Scripts that put no space between words: each of their letters is looked for as a word. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const ASCII = /^[\0-\x7f]*$/;
const ASCII_WORD = /[a-z0-9_]+/g;

/**
 * The words of a text, each once, without regard to case, width and marks: what is a letter follows from the table of
 * characters and not from the machine's own version of Unicode. Words that `_` joins, as an id, are one.
 */
export function wordsOf(text: string): string[] {
  const words = ASCII.test(text) ? (text.toLowerCase().match(ASCII_WORD) ?? []) : split(foldName(text));
  return [...new Set(words.map(cut))].filter(word => word !== '_');
}

/** The words that a text is found by: its own, and the parts of those that `_` joins. */
export function foundBy(text: string): string[] {
  const words = wordsOf(text);
  const parts = words.filter(word => word.includes('_') && !MUSE_ID.test(word)).flatMap(word => word.split('_'));
  return [...new Set([...words, ...parts])].filter(Boolean);
}

/** A word with what it begins with, from two characters on. */
export function beginningsOf(word: string): string[] {
  const characters = [...word];
  const lengths = characters.map((_character, at) => at + 1).filter(length => length >= BEGINNING_CHARACTERS_MIN);
  return [...new Set([...lengths.map(length => characters.slice(0, length).join('')), word])];
}

/** A tag as it is looked for, with its `#`; undefined for what is none. */
export function tagWord(tag: string): string | undefined {
  const [word] = foldName(tag).replace(/^#/, '').split(/[-\s]/);
  return word ? `#${cut(word)}` : undefined;
}

const cut = (word: string) =>
  word.length > WORD_CHARACTERS_MAX ? [...word].slice(0, WORD_CHARACTERS_MAX).join('') : word;

function split(folded: string): string[] {
  const words: string[] = [];
  let word = '';
  const end = () => {
    if (word) words.push(word);
    word = '';
  };
  for (const character of folded) {
    const known = characterOf(character.codePointAt(0)!);
    const isAlone = isUnspaced(known);
    if (isAlone || !isOfWord(character, known)) end();
    if (isAlone) words.push(character);
    else if (isOfWord(character, known)) word += character;
  }
  end();
  return words;
}

const isOfWord = (character: string, known: Character | null) =>
  character === '_' || known?.kind === 'letter' || known?.kind === 'mark' || known?.kind === 'number';

const isUnspaced = (known: Character | null) => {
  const { scripts } = known ?? { scripts: null };
  return scripts !== null && known?.kind !== 'else' && UNSPACED.some(script => scripts.has(script));
};
