import { foldLabel } from '#libs/kernel/case-folding.js';
import { findCharacterProperties, listCharacterProperties } from '#libs/kernel/characters.js';
import { TAGS_MAX } from '#libs/features/feed/views/post-tags.js';

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

function matchesOf(text: string, pattern: RegExp): string[] {
  return [...outlineOf(text).matchAll(pattern)].map(({ indices }) => text.slice(...indices![1]!));
}

export function tagsIn(text: string): string[] {
  const tags = matchesOf(text.normalize('NFC'), TAG).map(foldLabel);
  return [...new Set(tags.filter(isTag))].slice(0, TAGS_MAX);
}

/** The pattern counts UTF-16 units, and accepts a combining mark after `#`. */
const isTag = (tag: string) =>
  [...tag].length >= TAG_CHARACTERS_MIN && listCharacterProperties(tag)[0]?.kind !== 'mark';

/** Candidates for each `@` mention, longest first: a name may end with punctuation, or be followed by it. */
export function mentionCandidatesIn(text: string): string[][] {
  const words = [...new Set(matchesOf(text, MENTION))].slice(0, MENTION_CANDIDATES_MAX);
  return words.map(word => {
    const outline = outlineOf(word);
    const bare = word.slice(0, outline.replace(TRAILING_PUNCTUATION, '').length);
    const inner = word.slice(0, WORD.exec(outline)?.[0].length ?? 0);
    return [...new Set([word, bare, inner])].filter(Boolean);
  });
}
