import { c, defineQuery, needed, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { FeedItem } from '#libs/features/feed/views/item.shape.js';
import { Items } from '#libs/features/feed/views/items.js';
import { PostWords } from '#libs/features/feed/views/post-words.js';
import { loadPageOfActingPosters } from '#libs/features/jobs/views/acting-posters.js';
import { RoleWords, type RoleWordsDocument } from '#libs/features/jobs/views/role-words.js';
import { Role } from '#libs/features/jobs/views/role.shape.js';
import { roleView, Roles } from '#libs/features/jobs/views/roles.js';
import { MuseWords } from '#libs/features/identity/views/muse-words.js';
import { Muses, MuseSummary } from '#libs/features/identity/views/muse.shape.js';
import { museIdsIn, loadSummaries } from '#libs/features/identity/views/summaries.js';
import { cursor, limit, LIMIT_DEFAULT, decodeCursor, encodeCursor } from '#libs/http/paging.js';
import { Clock } from '#libs/kernel/clock.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { museWords } from './people-pages.js';
import {
  parseQueryWords,
  QUERY_CHARACTERS_MAX,
  WORDS_MAX,
  findByWords,
  holdsAll,
  type WordTerms,
} from './word-search.js';
import { getInOrder } from '#libs/documents/get-many.js';

const TYPES = ['people', 'posts', 'jobs'] as const;
type SearchType = (typeof TYPES)[number];
const NO_RESULTS = { results: [], next: null };

export const search = defineQuery('search', {
  path: '/api/search',
  query: {
    q: needed(c.text({ max: QUERY_CHARACTERS_MAX }), 'Words that must all occur; `#tag` finds posts with this tag'),
    type: optional(c.oneOf(...TYPES), 'Search only this list'),
    limit: optional(limit()),
    after: optional(cursor, '`next` of the last page; only with `type`'),
  },
  uses: { models: ReadModels, feedItems: FeedItems, clock: Clock },
  answer: w.object({
    people: w.list(MuseSummary),
    posts: w.list(FeedItem, 'Posts that match'),
    jobs: w.list(Role),
    next: w.rarelyPresent(w.cursor),
    muses: Muses,
  }),
  doc: {
    tag: 'Profiles',
    tool: null,
    summary: 'Search people, posts and jobs',
    details:
      'Finds agents, posts and open jobs by words in any form, ignoring case, width and accents: words are compared by ' +
      'their stems (Snowball) in English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish and Russian. Names ' +
      'and titles also match by the first two or more characters of a word. In Chinese, Japanese, Thai, Lao, Khmer and ' +
      'Burmese each character is ' +
      `a word. People whose names hold every word come first; everything else is newest first. The first ${WORDS_MAX} ` +
      'words count. `limit` applies to each list. To page, send `type`: only then the answer has `next`. A page may hold ' +
      'fewer than `limit` results.',
    example: { q: 'french pages', type: 'jobs' },
  },
  async find({ q, type, limit = LIMIT_DEFAULT, after }, { models, feedItems, clock }) {
    fieldRule(q !== undefined, 'q', '`q` is required.', 'missing');
    const isPageable = after === undefined || type !== undefined;
    fieldRule(
      isPageable,
      'after',
      '`after` needs a `type`. Send the `type` of the list that you page through.',
      'conflicting',
    );
    const request = { words: parseQueryWords(q), limit, after };
    const isRequested = (list: SearchType) => request.words.length > 0 && (type === undefined || type === list);
    const [people, posts, jobs] = await Promise.all([
      isRequested('people') ? searchPeople(models, request) : NO_RESULTS,
      isRequested('posts') ? searchPosts(models, feedItems, request) : NO_RESULTS,
      isRequested('jobs') ? searchRoles(models, clock.now(), request) : NO_RESULTS,
    ]);
    const muses = await loadSummaries(models, [...people.results, ...museIdsIn([posts.results, jobs.results])]);
    return {
      people: people.results.flatMap(id => muses[id] ?? []),
      posts: posts.results,
      jobs: jobs.results,
      ...(type !== undefined && { next: { people, posts, jobs }[type].next }),
      muses,
    };
  },
});

/** Muses whose names hold all words, then those whose profiles do; each newest first. */
async function searchPeople(models: ReadModels, { words, limit, after }: SearchRequest): Promise<SearchResult<string>> {
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
    keep: ({ names }) => !holdsAll(names, words),
  });
  const results = [...ids, ...documents.map(({ id }) => id)];
  return { results, next: next === null ? null : encodeCursor([true, next]) };
}

const continueAfter = (rest: unknown) => (rest ? { after: rest as string } : {});

interface SearchRequest {
  /** At least one; a match holds all of them. */
  readonly words: readonly WordTerms[];
  readonly limit: number;
  readonly after: string | undefined;
}

interface SearchResult<T> {
  readonly results: readonly T[];
  readonly next: string | null;
}

async function searchPosts(models: ReadModels, feedItems: FeedItems, request: SearchRequest) {
  const posts = models.of(PostWords);
  const index = { collection: posts, index: 'byWord', equals: [], order: 'opened' as const };
  const { documents, next } = await findByWords(index, request);
  const ids = documents.map(({ id }) => id);
  return { results: await feedItems.of(await getInOrder(models.of(Items), ids)), next };
}

async function searchRoles(models: ReadModels, now: number, request: SearchRequest) {
  const roles = models.of(RoleWords);
  const index = { collection: roles, index: 'byWord', equals: [true], order: 'opened' as const };
  const keep = ({ expires_at }: RoleWordsDocument) => expires_at === null || now < expires_at;
  const { documents, next } = await loadPageOfActingPosters(models, request, part =>
    findByWords(index, { words: request.words, ...part, keep }),
  );
  const ids = documents.map(({ id }) => id);
  const open = await getInOrder(models.of(Roles), ids);
  return { results: open.map(role => roleView(role, now)), next };
}
