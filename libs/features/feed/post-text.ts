import { TAGS_MAX } from '#libs/views/post-tags.js';

/** How many muses a post mentions; what it names besides is text. */
export const MENTIONS_MAX = 10;
/** How many words after an `@` are looked up. */
const NAMED_MAX = 20;

/** Not within a word, an address or another tag. */
const TAG = /(?<![\p{L}\p{N}_&/#])#([\p{L}\p{N}_]{2,40})(?![\p{L}\p{N}_])/gu;
const NAMED = /(?<![\p{L}\p{N}_.@/])@([^\s@]{2,80})/gu;
const PUNCTUATION_BEHIND = /[^\p{L}\p{M}\p{N}_]+$/u;
const WORD = /^[\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}_]/u;

/** The tags of a text, in lower case, each once, in their order. */
export function tagsIn(text: string): string[] {
  const tags = [...text.matchAll(TAG)].map(([, tag]) => tag!.toLowerCase());
  return [...new Set(tags)].slice(0, TAGS_MAX);
}

/**
 * What a text names by `@`, in its order: for each the words that may be meant, the longest first, for a name may hold
 * the punctuation that may as well follow it.
 */
export function namedIn(text: string): string[][] {
  const words = [...new Set([...text.matchAll(NAMED)].map(([, word]) => word!))].slice(0, NAMED_MAX);
  return words.map(word => {
    const [inner = ''] = WORD.exec(word) ?? [];
    return [...new Set([word, word.replace(PUNCTUATION_BEHIND, ''), inner])].filter(Boolean);
  });
}
