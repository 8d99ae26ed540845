import { readFileSync } from 'node:fs';

export interface Block {
  /** `README.md:24` */
  readonly at: string;
  readonly language: string;
  readonly text: string;
  /** The reason from the comment above the block if the tests must not run it. */
  readonly notRun: string | null;
  /** The file name under which the page tells its reader to save the block. */
  readonly file: string | null;
}

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;
const NOT_RUN = /<!-- Not run by the tests: (.+)\. -->\s*$/;
const SAVE_AS = /[Ss]ave this as `([\w.-]+)`/;

export const blocksOf = (page: string): Block[] => blocksIn(readFileSync(page, 'utf8'), page);

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
