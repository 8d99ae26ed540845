/** Words in small letters. */
export const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Whether a text in small letters holds each of the words, or their beginnings, wherever they stand in it. */
export const containsAll = (text: string, words: readonly string[]): boolean =>
  words.every(word => text.includes(word));
