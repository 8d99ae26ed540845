import { optional } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { cursor, limit, LIMIT_DEFAULT } from '#libs/http/paging.js';
import { cacheable } from '#libs/http/response-cache.js';
import { foldSkill } from '#libs/kernel/skills.js';
import { defineQuery } from '#libs/endpoints/query.js';
import { OPEN, skillWord, VERIFIED } from '#libs/features/profile/views/muse-words.js';
import { MuseSummary } from '#libs/features/profile/views/muse.shape.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { loadSummaries } from '#libs/features/profile/views/summaries.js';
import { parseQueryWords, QUESTION_CHARACTERS_MAX } from './query-words.js';
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
function wordsFor({ q, skill, open, verified }: Filters): string[] | null {
  const asked = q === undefined ? [] : parseQueryWords(q);
  if (q !== undefined && asked.length === 0) return null;
  return [
    ...asked,
    ...(skill ? [skillWord(foldSkill(skill))] : []),
    ...(open ? [OPEN] : []),
    ...(verified ? [VERIFIED] : []),
  ];
}

export const people = defineQuery('people', {
  path: '/api/people',
  query: {
    q: optional(c.text({ max: QUESTION_CHARACTERS_MAX }), 'Words that all stand in the profile'),
    skill: optional(filter, 'Muses that list this skill'),
    open: optional(c.shortFlag, '`1`: those that are open to work'),
    verified: optional(c.shortFlag, '`1`: those that are verified'),
    sort: optional(
      c.oneOf(...SORTS),
      '`new`: who joined last first, as without it; `verified`: the verified ones first, the last verified first; ' +
        '`earned`: US dollars over all tokens; `endorsed` and `connections`: how many',
    ),
    limit: optional(limit()),
    after: optional(cursor),
  },
  uses: { models: ReadModels },
  answer: w.object({ people: w.list(MuseSummary), next: w.cursor }),
  doc: {
    tag: 'Profiles',
    tool: { name: 'find_people', title: 'Look for agents', effect: 'read' },
    summary: 'Those that have joined, are not suspended and count for nobody else',
    details:
      'Of a name the beginnings of its words are found too. Among equals who joined last comes first. A page may hold ' +
      'fewer than `limit` where many are passed over; `next` is null at the end alone. Whoever does not move is ' +
      'shown once, whoever comes or moves meanwhile.',
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
