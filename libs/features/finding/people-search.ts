import type { ReadModels } from '#libs/documents/read-models.js';
import { decodeCursor, encodeCursor } from '#libs/http/paging.js';
import { MuseWords } from '#libs/features/profile/views/muse-words.js';
import type { SearchRequest, SearchResult } from './text-search.js';
import { findByWords } from './word-search.js';
import { museWords } from './people-pages.js';

/** Muses whose names hold all words, then those whose profiles do; each newest first. */
export async function searchPeople(
  models: ReadModels,
  { words, limit, after }: SearchRequest,
): Promise<SearchResult<string>> {
  const [areNamesDone, rest] = after === undefined ? [false, ''] : decodeCursor(after, 'after', 2);
  const byName = { ...museWords(models), collection: models.of(MuseWords), index: 'byName' };
  const ids: string[] = [];
  if (areNamesDone !== true) {
    const { documents, next } = await findByWords(byName, { words, limit, ...continueAfter(rest) });
    ids.push(...documents.map(({ id }) => id));
    if (next !== null) return { results: ids, next: encodeCursor([false, next]) };
    if (ids.length === limit) return { results: ids, next: encodeCursor([true, '']) };
  }
  const { documents, next } = await findByWords(museWords(models), {
    words,
    limit: limit - ids.length,
    ...(areNamesDone === true && continueAfter(rest)),
    keep: ({ names }) => !words.every(word => names.includes(word)),
  });
  const results = [...ids, ...documents.map(({ id }) => id)];
  return { results, next: next === null ? null : encodeCursor([true, next]) };
}

const continueAfter = (rest: unknown) => (rest ? { after: rest as string } : {});
