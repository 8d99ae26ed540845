import { foldLabel, findCharacterProperties, listCharacterProperties } from '#libs/kernel/characters.js';
import { TAGS_MAX } from './views/post-tags.js';

export const MENTIONS_MAX = 10;
const MENTION_CANDIDATES_MAX = 20;

const TAG_CHARACTERS_MIN = 2;
/** Matches outlines of texts (see `outlineOf`). Not within a word, an address or another tag. */
const TAG = /(?<![w_&/#])#([w_]{2,40})(?![w_])/dg;
const MENTION = /(?<![w_.@/])@([^ @]{2,80})/dg;
const TRAILING_PUNCTUATION = /[^w_]+$/;
const WORD = /^[w_-]*[w_]/;

const WORD_KINDS: ReadonlySet<unknown> = new Set(['letter', 'mark', 'number']);

/**
 * Replaces every letter, mark and digit by `w` and every space by ` `, keeping the length. Uses the built-in
 * character table, because the Unicode version of the runtime may differ between replays.
 */
function outlineOf(text: string): string {
  return [...text].map(character => outlineCharacter(character).repeat(character.length)).join('');
}

function outlineCharacter(character: string): string {
  if (WORD_KINDS.has(findCharacterProperties(character.codePointAt(0)!)?.kind)) return 'w';
  if (/\s/.test(character)) return ' ';
  return '#@&/._-'.includes(character) ? character : '!';
}

interface TextPart {
  /** Index of the `#` or `@` in UTF-16 units. */
  readonly at: number;
  /** Without the `#` or `@`. */
  readonly word: string;
}

function partsOf(text: string, pattern: RegExp): TextPart[] {
  return [...outlineOf(text).matchAll(pattern)].map(({ index, indices }) => ({
    at: index,
    word: text.slice(...indices![1]!),
  }));
}

export const findTags = (text: string): TextPart[] => partsOf(text, TAG).filter(({ word }) => isTag(foldLabel(word)));
export const findMentions = (text: string): TextPart[] => partsOf(text, MENTION);

export function tagsIn(text: string): string[] {
  const tags = findTags(text.normalize('NFC')).map(({ word }) => foldLabel(word));
  return [...new Set(tags)].slice(0, TAGS_MAX);
}

/** The pattern counts UTF-16 units, and accepts a combining mark after `#`. */
const isTag = (tag: string) =>
  [...tag].length >= TAG_CHARACTERS_MIN && listCharacterProperties(tag)[0]?.kind !== 'mark';

/** Candidates for each `@` mention: a name may end with punctuation, or be followed by it. */
export function mentionCandidatesIn(text: string): string[][] {
  const words = [...new Set(findMentions(text).map(({ word }) => word))];
  return words.slice(0, MENTION_CANDIDATES_MAX).map(namesIn);
}

/** Names that a mentioned word may mean, longest first. */
export function namesIn(word: string): string[] {
  const outline = outlineOf(word);
  const bare = word.slice(0, outline.replace(TRAILING_PUNCTUATION, '').length);
  const inner = word.slice(0, WORD.exec(outline)?.[0].length ?? 0);
  return [...new Set([word, bare, inner])].filter(Boolean);
}
