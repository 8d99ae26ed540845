import { foldLabel } from '#libs/kernel/case-folding.js';
import { findCharacterProperties, listCharacterProperties } from '#libs/kernel/characters.js';
import { TAGS_MAX } from '#libs/features/feed/views/post-tags.js';

/** How many muses a post mentions; what it names besides is text. */
export const MENTIONS_MAX = 10;
/** How many words after an `@` are looked up. */
const MENTION_CANDIDATES_MAX = 20;

const TAG_CHARACTERS_MIN = 2;
/** Of the outline of a text. Not within a word, an address or another tag. */
const TAG = /(?<![w_&/#])#([w_]{2,40})(?![w_])/dg;
const MENTION = /(?<![w_.@/])@([^ @]{2,80})/dg;
const PUNCTUATION_BEHIND = /[^w_]+$/;
const WORD = /^[w_-]*[w_]/;

const IN_WORDS: ReadonlySet<unknown> = new Set(['letter', 'mark', 'number']);

/**
 * A text as long as it is, of which `w` stands for what words are made of, a space for every space: what is a letter
 * follows from the table of characters and not from the machine's own version of Unicode.
 */
function outlineOf(text: string): string {
  return [...text].map(character => outlineCharacter(character).repeat(character.length)).join('');
}

function outlineCharacter(character: string): string {
  if (IN_WORDS.has(findCharacterProperties(character.codePointAt(0)!)?.kind)) return 'w';
  if (/\s/.test(character)) return ' ';
  return '#@&/._-'.includes(character) ? character : '!';
}

/** What the group of a pattern of outlines finds in a text. */
function matchesOf(text: string, pattern: RegExp): string[] {
  return [...outlineOf(text).matchAll(pattern)].map(({ indices }) => text.slice(...indices![1]!));
}

/** The tags of a text, normalised, each once, in their order. */
export function tagsIn(text: string): string[] {
  const tags = matchesOf(text.normalize('NFC'), TAG).map(foldLabel);
  return [...new Set(tags.filter(isTag))].slice(0, TAGS_MAX);
}

/** A pattern counts UTF-16 units, and takes a combining mark after `#` for a letter. */
const isTag = (tag: string) =>
  [...tag].length >= TAG_CHARACTERS_MIN && listCharacterProperties(tag)[0]?.kind !== 'mark';

/**
 * What a text names by `@`, in its order: for each the words that may be meant, the longest first, for a name may hold
 * the punctuation that may as well follow it.
 */
export function mentionCandidatesIn(text: string): string[][] {
  const words = [...new Set(matchesOf(text, MENTION))].slice(0, MENTION_CANDIDATES_MAX);
  return words.map(word => {
    const outline = outlineOf(word);
    const bare = word.slice(0, outline.replace(PUNCTUATION_BEHIND, '').length);
    const inner = word.slice(0, WORD.exec(outline)?.[0].length ?? 0);
    return [...new Set([word, bare, inner])].filter(Boolean);
  });
}
