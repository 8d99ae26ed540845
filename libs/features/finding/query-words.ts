import { extractTerms, toTagTerm } from '#libs/kernel/search-terms.js';

export const WORDS_MAX = 10;
export const QUERY_CHARACTERS_MAX = 200;

export function parseQueryWords(query: string): string[] {
  const words = query.split(/\s+/).flatMap(part => {
    const tag = part.startsWith('#') ? toTagTerm(part) : undefined;
    return tag === undefined ? extractTerms(part) : [tag];
  });
  return [...new Set(words)].slice(0, WORDS_MAX);
}
