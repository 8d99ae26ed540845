import { getInOrder } from '#libs/documents/get-many.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { Items } from '#libs/features/feed/views/items.js';
import { PostWords, type PostWordsDocument } from '#libs/features/feed/views/post-words.js';
import { loadPageOfActingPosters, type PageRequest } from '#libs/features/jobs/views/acting-posters.js';
import type { MuseWordsDocument } from '#libs/features/identity/views/muse-words.js';
import type { RoleWordsDocument } from '#libs/features/jobs/views/role-words.js';
import { roleView, Roles } from '#libs/features/jobs/views/roles.js';
import type { Page } from '#libs/http/paging.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { SearchWord } from '#libs/kernel/search-terms.js';
import { findNearPage } from './near-matches.js';
import { openWords } from './ordered-roles.js';
import { type Match, readInSequence, searchInTurn, type SearchPage } from './search-in-turn.js';
import { museWords } from './people-pages.js';
import { findByWords, holdsAll, type WordIndex, type WordQuery } from './word-search.js';

export interface SearchRequest extends PageRequest {
  /** At least one; a match holds all of them. */
  readonly words: readonly SearchWord[];
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
const searchPeopleByWords = (models: ReadModels, { words, ...request }: SearchRequest) =>
  readInSequence<string>(
    request,
    async part => {
      const page = await findByWords({ ...museWords(models), index: 'byName' }, { words, ...part });
      return { results: idsOf(page), next: page.next };
    },
    async part => {
      const keep = ({ names }: MuseWordsDocument) => !holdsAll(names, words);
      const page = await findByWords(museWords(models), { words, ...part, keep });
      return { results: idsOf(page), next: page.next };
    },
  );

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
  const keep = ({ expires_at }: RoleWordsDocument) => expires_at === null || now < expires_at;
  return searchInTurn(request.after, async (match, after) => {
    const page = await loadPageOfActingPosters(models, { limit: request.limit, after }, part =>
      findPage(openWords(models), { words: request.words, ...part, keep }, match),
    );
    const open = await getInOrder(models.of(Roles), idsOf(page));
    return { results: open.map(role => roleView(role, now)), next: page.next };
  });
}
