import { getMany } from '#libs/documents/get-many.js';
import type { Scalar } from '#libs/documents/document-store.port.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { RoleWords, type RoleWordsDocument } from '#libs/features/jobs/views/role-words.js';
import { type RoleDocument, Roles } from '#libs/features/jobs/views/roles.js';
import { decodeCursor, encodeCursor, type Page } from '#libs/http/paging.js';
import type { SearchWord } from '#libs/kernel/search-terms.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import { findNearMatches, type Match } from './near-matches.js';
import { compareDescending } from './people-order.js';
import { type RoleFilter, type RoleFilters, selectIndex } from './role-filters.js';
import { findByWords, type WordIndex } from './word-search.js';

/** Up to this many matches are sorted; more are found by walking the ordered index. */
const SORTED_MAX = 500;
const SCANNED_MAX = 500;
const SCANNED_AT_ONCE = 100;

export const ROLE_SORTS = ['new', 'pay', 'ends'] as const;
export type RoleSort = (typeof ROLE_SORTS)[number];

interface RoleOrder {
  /** Merged into one list. */
  readonly ranges: readonly { readonly index: string; readonly equals: readonly Scalar[] }[];
  readonly fields: readonly (keyof RoleDocument & string)[];
}

/** All orders are descending, null last. House roles are first without a sort. */
function orderOf(sort: RoleSort | undefined, all: boolean): RoleOrder {
  const states = all ? [[false], [true]] : [[false]];
  switch (sort) {
    case 'pay':
      return { ranges: states.map(equals => ({ index: 'byPay', equals })), fields: ['pay', 'opened'] };
    case 'ends':
      return { ranges: states.map(equals => ({ index: 'byEnd', equals })), fields: ['ends', 'opened'] };
    case 'new': {
      const [index, equals] = all ? ['all', []] : ['open', [false]];
      return { ranges: [true, false].map(house => ({ index, equals: [...equals, house] })), fields: ['opened'] };
    }
    case undefined:
      return { ranges: [{ index: all ? 'all' : 'open', equals: all ? [] : [false] }], fields: ['house', 'opened'] };
  }
}

const openWords = (models: ReadModels): WordIndex<RoleWordsDocument> => ({
  collection: models.of(RoleWords),
  index: 'byWord',
  equals: [true],
  order: 'opened',
  names: { index: 'byTitle', field: 'titles' },
});

/** Closed jobs, and those with a delivery. */
export const finishedWords = (models: ReadModels): WordIndex<RoleWordsDocument> => ({
  collection: models.of(RoleWords),
  index: 'byFinishedWord',
  equals: [true],
  order: 'opened',
});

/** Ids of the jobs that match; null if more than 500 do. */
export async function findRoleIds(
  models: ReadModels,
  words: readonly SearchWord[],
  match: Match,
  all: boolean,
): Promise<readonly string[] | null> {
  const indexes = all ? [openWords(models), finishedWords(models)] : [openWords(models)];
  if (match !== 'word') {
    const lists = await Promise.all(indexes.map(index => findNearMatches(index, words, match)));
    return [...new Set(lists.flat().map(({ id }) => id))];
  }
  const pages = await Promise.all(indexes.map(index => findByWords(index, { words, limit: SORTED_MAX })));
  if (pages.some(({ next }) => next !== null)) return null;
  return [...new Set(pages.flatMap(({ documents }) => documents.map(({ id }) => id)))];
}

interface OrderedRequest {
  readonly sort: RoleSort | undefined;
  readonly filters: RoleFilters;
  /** The only candidates, if they are known. */
  readonly ids: readonly string[] | null;
  readonly limit: number;
  readonly after: string | undefined;
  readonly filter: RoleFilter;
}

export async function loadOrderedRoles(models: ReadModels, request: OrderedRequest): Promise<Page<RoleDocument>> {
  // The promoted roles may have filled the page.
  if (request.limit === 0) return { documents: [], next: '' };
  const order = orderOf(request.sort, request.filters.all ?? false);
  const known = await loadCandidates(models, request);
  return known ? sortCandidates(order, request, known) : scanRoles(models, order, request);
}

async function loadCandidates(models: ReadModels, { filters, ids }: OrderedRequest) {
  if (ids) return getMany(models.of(Roles), ids);
  if (!filters.poster && !filters.project) return null;
  const { index, equals } = selectIndex(filters);
  const roles = await models.of(Roles).find({ index, equals, order: 'desc', limit: SORTED_MAX + 1 });
  return roles.length > SORTED_MAX ? null : roles;
}

type RoleKey = readonly Scalar[];
const keyOf = ({ fields }: RoleOrder, { id, body }: StoredDocument<RoleDocument>): RoleKey => [
  ...fields.map(field => body[field] as Scalar),
  id,
];
const decodeKey = ({ fields }: RoleOrder, after: string | undefined) =>
  after === undefined ? undefined : decodeCursor(after, 'after', fields.length + 1);

async function sortCandidates(
  order: RoleOrder,
  { limit, after, filter }: OrderedRequest,
  candidates: StoredDocument<RoleDocument>[],
): Promise<Page<RoleDocument>> {
  const start = decodeKey(order, after);
  const all = (await filter(candidates))
    .filter(role => start === undefined || compareDescending(start, keyOf(order, role)) < 0)
    .sort((one, other) => compareDescending(keyOf(order, one), keyOf(order, other)));
  const documents = all.slice(0, limit);
  return { documents, next: all.length > limit ? encodeCursor(keyOf(order, documents.at(-1)!)) : null };
}

async function scanRoles(
  models: ReadModels,
  order: RoleOrder,
  { limit, after, filter }: OrderedRequest,
): Promise<Page<RoleDocument>> {
  let last = decodeKey(order, after) as RoleKey | undefined;
  const documents: StoredDocument<RoleDocument>[] = [];
  const page = { order: 'desc', limit: SCANNED_AT_ONCE } as const;
  for (let scanned = 0; scanned < SCANNED_MAX; scanned += SCANNED_AT_ONCE) {
    const from = { ...page, ...(last && { after: last }) };
    const lists = await Promise.all(order.ranges.map(range => models.of(Roles).find({ ...range, ...from })));
    const batch = lists
      .flat()
      .sort((one, other) => compareDescending(keyOf(order, one), keyOf(order, other)))
      .slice(0, SCANNED_AT_ONCE);
    const kept = new Set((await filter(batch)).map(({ id }) => id));
    for (const role of batch) {
      if (documents.length === limit) return { documents, next: encodeCursor(last!) };
      last = keyOf(order, role);
      if (kept.has(role.id)) documents.push(role);
    }
    if (batch.length < SCANNED_AT_ONCE) return { documents, next: null };
  }
  return { documents, next: encodeCursor(last!) };
}
