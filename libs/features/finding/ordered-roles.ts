import { getMany } from '#libs/documents/get-many.js';
import type { Scalar } from '#libs/documents/document-store.port.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { RoleWords, type RoleWordsDocument } from '#libs/features/jobs/views/role-words.js';
import { type RoleDocument, Roles } from '#libs/features/jobs/views/roles.js';
import { decodeCursor, type Page } from '#libs/http/paging.js';
import type { SearchWord } from '#libs/kernel/search-terms.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import { findNearIds } from './near-matches.js';
import type { Match } from './search-in-turn.js';
import { compareDescending, type OrderKey, SCANNED_AT_ONCE, scannedPage, SORTED_MAX, sortedPage } from './key-order.js';
import { type RoleFilter, type RoleFilters, selectIndex } from './role-filters.js';
import { findByWords, type WordIndex } from './word-search.js';

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

export const openWords = (models: ReadModels): WordIndex<RoleWordsDocument> => ({
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
    const lists = await Promise.all(indexes.map(index => findNearIds(index, words, match)));
    return [...new Set(lists.flat())];
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
  const { limit, after, filter } = request;
  const keyOf = ({ id, body }: StoredDocument<RoleDocument>): OrderKey => [
    ...order.fields.map(field => body[field] as Scalar),
    id,
  ];
  const start = after === undefined ? undefined : decodeCursor(after, 'after', order.fields.length + 1);
  const known = await loadCandidates(models, request);
  const { items, next } = known
    ? sortedPage(await filter(known), { keyOf, limit, start })
    : await scannedPage({ read: reader(models, order, keyOf), keep: filter }, { keyOf, limit, start });
  return { documents: items, next };
}

async function loadCandidates(models: ReadModels, { filters, ids }: OrderedRequest) {
  if (ids) return getMany(models.of(Roles), ids);
  if (!filters.poster && !filters.project) return null;
  const { index, equals } = selectIndex(filters);
  const roles = await models.of(Roles).find({ index, equals, order: 'desc', limit: SORTED_MAX + 1 });
  return roles.length > SORTED_MAX ? null : roles;
}

/** Merges the ranges of an order. */
const reader =
  (models: ReadModels, { ranges }: RoleOrder, keyOf: (role: StoredDocument<RoleDocument>) => OrderKey) =>
  async (after: OrderKey | undefined) => {
    const page = { order: 'desc', limit: SCANNED_AT_ONCE, ...(after && { after }) } as const;
    const lists = await Promise.all(ranges.map(range => models.of(Roles).find({ ...range, ...page })));
    return lists
      .flat()
      .sort((one, other) => compareDescending(keyOf(one), keyOf(other)))
      .slice(0, SCANNED_AT_ONCE);
  };
