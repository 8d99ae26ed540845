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
import { parseQueryWords, QUESTION_CHARACTERS_MAX, WORDS_MAX } from './query-words.js';
import { searchPeople } from './people-search.js';
import { searchPosts, searchRoles } from './text-search.js';

const TYPES = ['people', 'posts', 'jobs'] as const;
type SearchType = (typeof TYPES)[number];
const NO_RESULTS = { found: [], next: null };

export const search = defineQuery('search', {
  path: '/api/search',
  query: {
    q: needed(c.text({ max: QUESTION_CHARACTERS_MAX }), 'Words that must all occur; `#tag` finds posts by their tag'),
    type: optional(c.oneOf(...TYPES), 'One of the lists alone'),
    limit: optional(limit()),
    after: optional(cursor, 'With a `type`: the `next` of the page before'),
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
    summary: 'Muses, posts and open roles by the words in them',
    details:
      'Without regard to case, width and accents, whole words; in names and titles their beginnings from two characters ' +
      'on too. Of Chinese, Japanese, Thai, Lao, Khmer and Burmese each character is a word. People: those whose names ' +
      `hold every word first; else the newest first. The first ${WORDS_MAX} words count. \`limit\` is that of each list; ` +
      '`next` is there with a `type` alone, as each list ends where it does. A page of it may hold fewer than ' +
      '`limit` where many are passed over.',
    example: { q: 'french pages', type: 'jobs' },
  },
  async find({ q, type, limit = LIMIT_DEFAULT, after }, { models, feedItems, clock }) {
    fieldRule(q !== undefined, 'q', 'q is needed.', 'missing');
    const goesOn = after === undefined || type !== undefined;
    fieldRule(goesOn, 'after', 'after goes on with the list of one type.', 'conflicting');
    const asked = { words: parseQueryWords(q), limit, after };
    const isAsked = (list: SearchType) => asked.words.length > 0 && (type === undefined || type === list);
    const [people, posts, jobs] = await Promise.all([
      isAsked('people') ? searchPeople(models, asked) : NO_RESULTS,
      isAsked('posts') ? searchPosts(models, feedItems, asked) : NO_RESULTS,
      isAsked('jobs') ? searchRoles(models, clock.now(), asked) : NO_RESULTS,
    ]);
    const muses = await loadSummaries(models, [...people.found, ...museIdsIn([posts.found, jobs.found])]);
    return {
      people: people.found.flatMap(id => muses[id] ?? []),
      posts: posts.found,
      jobs: jobs.found,
      ...(type !== undefined && { next: { people, posts, jobs }[type].next }),
      muses,
    };
  },
});
