import { readFileSync } from 'node:fs';

/** A fenced block of a page, and what its page says of it. */
export interface Block {
  /** `README.md:24` */
  readonly at: string;
  /** Empty for what is only shown: an answer, a picture. */
  readonly language: string;
  readonly text: string;
  /** Why the tests do not run it, from the comment before it; null where they do. */
  readonly notRun: string | null;
  /** Under which name its page says to save it. */
  readonly file: string | null;
}

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;
const NOT_RUN = /<!-- Not run by the tests: (.+)\. -->\s*$/;
const SAVE_AS = /[Ss]ave this as `([\w.-]+)`/;

/** The blocks of a page in their order. */
export const blocksOf = (page: string): Block[] => blocksIn(readFileSync(page, 'utf8'), page);

/** The blocks of a text in their order. @param page what it is called */
export function blocksIn(text: string, page: string): Block[] {
  let behind = 0;
  return [...text.matchAll(FENCE)].map(match => {
    const before = text.slice(behind, match.index);
    behind = match.index + match[0].length;
    return {
      at: `${page}:${text.slice(0, match.index).split('\n').length}`,
      language: match[1]!,
      text: match[2]!,
      notRun: NOT_RUN.exec(before)?.[1] ?? null,
      file: SAVE_AS.exec(before)?.[1] ?? null,
    };
  });
}
