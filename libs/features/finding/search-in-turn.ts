import type { PageRequest } from '#libs/features/jobs/views/acting-posters.js';
import { decodeCursor, encodeCursor } from '#libs/http/paging.js';

/** Kinds of matches, best first. The next one is only tried when the one before finds nothing. */
export const MATCHES = ['word', 'prefix', 'typo'] as const;
export type Match = (typeof MATCHES)[number];

export interface SearchPage<T> {
  readonly results: readonly T[];
  readonly next: string | null;
  /** Whether anything matches, of which filters may have left out all; by default, if there are results. */
  readonly matched?: boolean;
}

/** The cursor keeps the kind of match, so later pages continue with it. */
export async function searchInTurn<T>(
  after: string | undefined,
  read: (match: Match, after: string | undefined) => Promise<SearchPage<T>>,
): Promise<SearchPage<T> & { readonly match: Match | null }> {
  const [only, rest] = after === undefined ? [] : decodeCursor(after, 'after', 2);
  const matches = MATCHES.filter(match => after === undefined || match === only);
  for (const match of matches) {
    const page = await read(match, rest === undefined ? undefined : String(rest));
    const { results, next } = page;
    if (page.matched ?? (results.length > 0 || next !== null))
      return { results, next: next === null ? null : encodeCursor([match, next]), match };
  }
  return { results: [], next: null, match: null };
}

type ListReader<T> = (part: PageRequest) => Promise<SearchPage<T>>;

/** Reads a second list when the first one has ended. The cursor says which one it continues. */
export async function readInSequence<T>(
  { limit, after }: PageRequest,
  first: ListReader<T>,
  second: ListReader<T>,
): Promise<SearchPage<T>> {
  const [isSecond, rest] = after === undefined ? [false, ''] : decodeCursor(after, 'after', 2);
  const start = rest === '' ? undefined : String(rest);
  const results: T[] = [];
  if (isSecond !== true) {
    const page = await first({ limit, after: start });
    results.push(...page.results);
    if (page.next !== null) return { results, next: encodeCursor([false, page.next]) };
    if (results.length === limit) return { results, next: encodeCursor([true, '']) };
  }
  const page = await second({ limit: limit - results.length, after: isSecond === true ? start : undefined });
  return { results: [...results, ...page.results], next: page.next === null ? null : encodeCursor([true, page.next]) };
}
