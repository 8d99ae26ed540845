import { extractTerms, toTagTerm } from '#libs/kernel/search-terms.js';

/** How many words of a question are looked for. */
export const WORDS_MAX = 10;
export const QUESTION_CHARACTERS_MAX = 200;

/** What a question looks for: words, all of which must occur, and a tag for each `#`. */
export function parseQueryWords(question: string): string[] {
  const words = question.split(/\s+/).flatMap(part => {
    const tag = part.startsWith('#') ? toTagTerm(part) : undefined;
    return tag === undefined ? extractTerms(part) : [tag];
  });
  return [...new Set(words)].slice(0, WORDS_MAX);
}
