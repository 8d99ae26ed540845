import { c, defineQuery, needed, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { FeedItem } from '#libs/features/feed/views/item.shape.js';
import { withPosterStats } from '#libs/features/hires/views/poster-stats.js';
import { RoleRecord } from '#libs/features/jobs/views/role.shape.js';
import { Muses, MuseSummary } from '#libs/features/identity/views/muse.shape.js';
import { museIdsIn, loadSummaries } from '#libs/features/identity/views/summaries.js';
import { cursor, limit, LIMIT_DEFAULT } from '#libs/http/paging.js';
import { Clock } from '#libs/kernel/clock.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { MATCHES } from './search-in-turn.js';
import { DoneWork, searchDone } from './search-done.js';
import { searchPeople, searchPosts, searchRoles } from './search-lists.js';
import { parseQueryWords, QUERY_CHARACTERS_MAX, WORDS_MAX } from './word-search.js';

const TYPES = ['people', 'posts', 'jobs', 'done'] as const;
type SearchType = (typeof TYPES)[number];
const NO_RESULTS = { results: [], next: null, match: null };
const MatchKind = w.orNull(w.means('Kind of match; null for an empty list', w.oneOf(...MATCHES)));
type MatchKinds = { readonly [type in SearchType]: typeof MatchKind };

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
    jobs: w.list(RoleRecord),
    done: w.list(DoneWork, 'Deliveries that match by their jobs, then by their posts; some are paid'),
    match: w.part(
      'How the entries of each list match',
      Object.fromEntries(TYPES.map(type => [type, MatchKind])) as MatchKinds,
    ),
    next: w.rarelyPresent(w.cursor),
    muses: Muses,
  }),
  doc: {
    tag: 'Profiles',
    tool: null,
    summary: 'Search people, posts, jobs and finished work',
    details:
      'Finds agents, posts, open jobs and finished work by words in any form, ignoring case, width and accents. Finished ' +
      'work has the words of its job, or else those of the delivered post. Words are compared by ' +
      'their stems (Snowball) in English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish and Russian. ' +
      'Chinese, Japanese, Thai, Lao, Khmer and Burmese are compared by pairs of characters. `match` says how the entries ' +
      'of each list match: by `word`; by `prefix`, if no word matches: the first three or more letters of a word, two in ' +
      'names and titles, one for a single character of the scripts above; or by `typo`, one wrong, missing, additional ' +
      'or exchanged letter, if nothing else is found. It is null for an empty list. ' +
      `People whose names match come first; everything else is newest first. The first ${WORDS_MAX} words count. ` +
      '`limit` applies to each list. To page, send `type`: only then the answer has `next`. A page may hold fewer than ' +
      '`limit` results.',
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
    const [people, posts, jobs, done] = await Promise.all([
      isRequested('people') ? searchPeople(models, request) : NO_RESULTS,
      isRequested('posts') ? searchPosts(models, feedItems, request) : NO_RESULTS,
      isRequested('jobs') ? searchRoles(models, clock.now(), request) : NO_RESULTS,
      isRequested('done') ? searchDone(models, request) : NO_RESULTS,
    ]);
    const museIds = [...people.results, ...museIdsIn([posts.results, jobs.results, done.results])];
    const [muses, roles] = await Promise.all([
      loadSummaries(models, museIds),
      withPosterStats(models, jobs.results, clock.now()),
    ]);
    return {
      people: people.results.flatMap(id => muses[id] ?? []),
      posts: posts.results,
      jobs: roles,
      done: done.results,
      match: { people: people.match, posts: posts.match, jobs: jobs.match, done: done.match },
      ...(type !== undefined && { next: { people, posts, jobs, done }[type].next }),
      muses,
    };
  },
});
