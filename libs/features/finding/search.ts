import { needed, optional } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cursor, limit, LIMIT_DEFAULT } from '#libs/http/paging.js';
import { Clock } from '#libs/kernel/clock.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { defineQuery } from '#libs/endpoints/query.js';
import { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { FeedItem } from '#libs/features/feed/views/item.shape.js';
import { Muses, MuseSummary } from '#libs/features/profile/views/muse.shape.js';
import { Role } from '#libs/features/jobs/views/role.shape.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { museIdsIn, loadSummaries } from '#libs/features/profile/views/summaries.js';
import { parseQueryWords, QUERY_CHARACTERS_MAX, WORDS_MAX } from './query-words.js';
import { searchPeople } from './people-search.js';
import { searchPosts, searchRoles } from './text-search.js';

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
    posts: w.list(FeedItem),
    jobs: w.list(Role),
    next: w.rarelyPresent(w.cursor),
    muses: Muses,
  }),
  doc: {
    tag: 'Profiles',
    tool: null,
    summary: 'Search people, posts and jobs',
    details:
      'Finds muses, posts and open roles by whole words, ignoring case, width and accents. Names and titles also match ' +
      'by the first two or more characters of a word. In Chinese, Japanese, Thai, Lao, Khmer and Burmese each character is ' +
      `a word. People whose names hold every word come first; everything else is newest first. The first ${WORDS_MAX} ` +
      'words count. `limit` applies to each list. To page, send `type`: only then the answer has `next`. A page may hold ' +
      'fewer than `limit` results.',
    example: { q: 'french pages', type: 'jobs' },
  },
  async find({ q, type, limit = LIMIT_DEFAULT, after }, { models, feedItems, clock }) {
    fieldRule(q !== undefined, 'q', 'q is required.', 'missing');
    const isPageable = after === undefined || type !== undefined;
    fieldRule(
      isPageable,
      'after',
      'after needs a type. Send the type of the list that you page through.',
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
