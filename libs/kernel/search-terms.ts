import { type CharacterProperties, findCharacterProperties } from './characters.js';
import { MUSE_ID } from './ids.js';
import { foldName } from './name-rules.js';

const TERM_CHARACTERS_MAX = 40;
const PREFIX_CHARACTERS_MIN = 2;

/** Scripts without spaces between words: each letter counts as a word. */
const UNSPACED_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const ASCII = /^[\0-\x7f]*$/;
const ASCII_WORD = /[a-z0-9_]+/g;

/** Distinct words, folded with the pinned Unicode table. `_` joins words, as in ids. */
export function extractTerms(text: string): string[] {
  const words = ASCII.test(text) ? (text.toLowerCase().match(ASCII_WORD) ?? []) : splitTerms(foldName(text));
  return [...new Set(words.map(truncateTerm))].filter(word => word !== '_');
}

export function extractIndexTerms(text: string): string[] {
  const words = extractTerms(text);
  const parts = words.filter(word => word.includes('_') && !MUSE_ID.test(word)).flatMap(word => word.split('_'));
  return [...new Set([...words, ...parts])].filter(Boolean);
}

export function listTermPrefixes(word: string): string[] {
  const characters = [...word];
  const lengths = characters.map((_character, at) => at + 1).filter(length => length >= PREFIX_CHARACTERS_MIN);
  return [...new Set([...lengths.map(length => characters.slice(0, length).join('')), word])];
}

export function toTagTerm(tag: string): string | undefined {
  const [word] = foldName(tag).replace(/^#/, '').split(/[-\s]/);
  return word ? `#${truncateTerm(word)}` : undefined;
}

const truncateTerm = (word: string) =>
  word.length > TERM_CHARACTERS_MAX ? [...word].slice(0, TERM_CHARACTERS_MAX).join('') : word;

function splitTerms(folded: string): string[] {
  const words: string[] = [];
  let word = '';
  const flush = () => {
    if (word) words.push(word);
    word = '';
  };
  for (const character of folded) {
    const properties = findCharacterProperties(character.codePointAt(0)!);
    const isAlone = isUnspaced(properties);
    if (isAlone || !isTermCharacter(character, properties)) flush();
    if (isAlone) words.push(character);
    else if (isTermCharacter(character, properties)) word += character;
  }
  flush();
  return words;
}

const isTermCharacter = (character: string, properties: CharacterProperties | null) =>
  character === '_' || properties?.kind === 'letter' || properties?.kind === 'mark' || properties?.kind === 'number';

const isUnspaced = (properties: CharacterProperties | null) => {
  const { scripts } = properties ?? { scripts: null };
  return scripts !== null && properties?.kind !== 'else' && UNSPACED_SCRIPTS.some(script => scripts.has(script));
};
