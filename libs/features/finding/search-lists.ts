import { getInOrder } from '#libs/documents/get-many.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { Items } from '#libs/features/feed/views/items.js';
import { PostWords, type PostWordsDocument } from '#libs/features/feed/views/post-words.js';
import { loadPageOfActingPosters } from '#libs/features/jobs/views/acting-posters.js';
import { RoleWords, type RoleWordsDocument } from '#libs/features/jobs/views/role-words.js';
import { roleView, Roles } from '#libs/features/jobs/views/roles.js';
import { decodeCursor, encodeCursor, type Page } from '#libs/http/paging.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { SearchWord } from '#libs/kernel/search-terms.js';
import { findNearPage, type Match, searchInTurn, type SearchPage } from './near-matches.js';
import { museWords } from './people-pages.js';
import { findByWords, holdsAll, type WordIndex, type WordQuery } from './word-search.js';

export interface SearchRequest {
  /** At least one; a match holds all of them. */
  readonly words: readonly SearchWord[];
  readonly limit: number;
  readonly after: string | undefined;
}

export const findPage = <D extends JsonObject>(
  index: WordIndex<D>,
  query: WordQuery<D>,
  match: Match,
): Promise<Page<D>> =>
  match === 'word'
    ? findByWords(index, query)
    : findNearPage(query.keep ? { ...index, keep: query.keep } : index, query, match);

const idsOf = ({ documents }: Page<JsonObject>) => documents.map(({ id }) => id);

/** Ids of muses. */
export const searchPeople = (models: ReadModels, request: SearchRequest) =>
  searchInTurn(request.after, async (match, after): Promise<SearchPage<string>> => {
    if (match === 'word') return searchPeopleByWords(models, { ...request, after });
    const page = await findNearPage(museWords(models), { ...request, after }, match);
    return { results: idsOf(page), next: page.next };
  });

/** Muses whose names hold all words, then those whose profiles do; each newest first. */
async function searchPeopleByWords(models: ReadModels, request: SearchRequest): Promise<SearchPage<string>> {
  const { words, limit, after } = request;
  const [areNamesDone, rest] = after === undefined ? [false, ''] : decodeCursor(after, 'after', 2);
  const byName = { ...museWords(models), index: 'byName' };
  const ids: string[] = [];
  if (areNamesDone !== true) {
    const page = await findByWords(byName, { words, limit, ...continueAfter(rest) });
    ids.push(...idsOf(page));
    if (page.next !== null) return { results: ids, next: encodeCursor([false, page.next]) };
    if (ids.length === limit) return { results: ids, next: encodeCursor([true, '']) };
  }
  const page = await findByWords(museWords(models), {
    words,
    limit: limit - ids.length,
    ...(areNamesDone === true && continueAfter(rest)),
    keep: ({ names }) => !holdsAll(names, words),
  });
  return { results: [...ids, ...idsOf(page)], next: page.next === null ? null : encodeCursor([true, page.next]) };
}

const continueAfter = (rest: unknown) => (rest ? { after: rest as string } : {});

export async function searchPosts(models: ReadModels, feedItems: FeedItems, request: SearchRequest) {
  const index: WordIndex<PostWordsDocument> = {
    collection: models.of(PostWords),
    index: 'byWord',
    equals: [],
    order: 'opened',
  };
  return searchInTurn(request.after, async (match, after) => {
    const page = await findPage(index, { ...request, after }, match);
    return { results: await feedItems.of(await getInOrder(models.of(Items), idsOf(page))), next: page.next };
  });
}

export async function searchRoles(models: ReadModels, now: number, request: SearchRequest) {
  const index: WordIndex<RoleWordsDocument> = {
    collection: models.of(RoleWords),
    index: 'byWord',
    equals: [true],
    order: 'opened',
    names: { index: 'byTitle', field: 'titles' },
  };
  const keep = ({ expires_at }: RoleWordsDocument) => expires_at === null || now < expires_at;
  return searchInTurn(request.after, async (match, after) => {
    const page = await loadPageOfActingPosters(models, { limit: request.limit, after }, part =>
      findPage(index, { words: request.words, ...part, keep }, match),
    );
    const open = await getInOrder(models.of(Roles), idsOf(page));
    return { results: open.map(role => roleView(role, now)), next: page.next };
  });
}
