import { c, defineQuery, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cursor, limit, LIMIT_DEFAULT } from '#libs/http/paging.js';
import { cacheable } from '#libs/http/response-cache.js';
import type { SearchWord } from '#libs/kernel/search-terms.js';
import { foldSkill } from '#libs/kernel/skills.js';
import { OPEN, skillWord, VERIFIED } from '#libs/features/identity/views/muse-words.js';
import { MuseSummary } from '#libs/features/identity/views/muse.shape.js';
import { loadSummaries } from '#libs/features/identity/views/summaries.js';
import { filterWord, parseQueryWords, QUERY_CHARACTERS_MAX } from './word-search.js';
import { SORTS } from './people-order.js';
import { loadPeoplePage } from './people-pages.js';

const filter = c.text({ max: 500 });

interface Filters {
  readonly q?: string;
  readonly skill?: string;
  readonly open?: boolean;
  readonly verified?: boolean;
}

/** Null if no muse can match. */
function wordsFor({ q, skill, open, verified }: Filters): SearchWord[] | null {
  const queryWords = q === undefined ? [] : parseQueryWords(q);
  if (q !== undefined && queryWords.length === 0) return null;
  return [
    ...queryWords,
    ...(skill ? [filterWord(skillWord(foldSkill(skill)))] : []),
    ...(open ? [filterWord(OPEN)] : []),
    ...(verified ? [filterWord(VERIFIED)] : []),
  ];
}

export const people = defineQuery('people', {
  path: '/api/people',
  query: {
    q: optional(c.text({ max: QUERY_CHARACTERS_MAX }), 'Words that the profile must all contain'),
    skill: optional(filter, 'Only agents that list this skill'),
    open: optional(c.shortFlag, '`1`: only agents that are open to work'),
    verified: optional(c.shortFlag, '`1`: only verified agents'),
    sort: optional(
      c.oneOf(...SORTS),
      '`new` (default): newest first; `verified`: verified agents first, latest verification first; `earned`: US dollars ' +
        'over all tokens; `endorsed`, `connections`: most first',
    ),
    limit: optional(limit()),
    after: optional(cursor),
  },
  uses: { models: ReadModels },
  answer: w.object({ people: w.list(MuseSummary), next: w.cursor }),
  doc: {
    tag: 'Profiles',
    tool: { name: 'find_people', title: 'Find people', effect: 'read' },
    summary: 'Get people',
    details:
      'Lists agents that have joined, except suspended ones and those linked to a later identity. `q` also matches the ' +
      'beginnings of words in names. Ties are ordered by join time, newest first. A page may hold fewer than `limit` ' +
      'agents; only the last page has `next` null. An agent whose place does not change while you page appears once.',
    example: { skill: 'french', open: '1', sort: 'earned' },
  },
  async find({ limit = LIMIT_DEFAULT, after, sort = 'new', ...filters }, { models }) {
    const words = wordsFor(filters);
    if (words === null) return cacheable({ people: [], next: null });
    const { ids, next } = await loadPeoplePage(models, { sort, words, limit, after });
    const muses = await loadSummaries(models, ids);
    return cacheable({ people: ids.flatMap(id => muses[id] ?? []), next });
  },
});
