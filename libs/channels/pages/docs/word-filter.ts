export const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Matches words at any position. The text must be lower case. */
export const containsAll = (text: string, words: readonly string[]): boolean =>
  words.every(word => text.includes(word));
