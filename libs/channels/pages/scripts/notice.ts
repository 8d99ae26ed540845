const NAME = 'notice';

/** Keeps a sentence for the next page in this tab. */
export const leaveNotice = (sentence: string): void => sessionStorage.setItem(NAME, sentence);

export function takeNotice(): string | null {
  const sentence = sessionStorage.getItem(NAME);
  sessionStorage.removeItem(NAME);
  return sentence;
}
