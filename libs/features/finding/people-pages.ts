import type { Scalar } from '#libs/documents/document-store.port.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { getMany } from '#libs/documents/get-many.js';
import { fetchPage } from '#libs/http/paging.js';
import { MuseWords, type MuseWordsDocument, skillIn } from '#libs/features/identity/views/muse-words.js';
import type { SearchWord } from '#libs/kernel/search-terms.js';
import { People, type PersonDocument } from '#libs/features/identity/views/people.js';
import { mergeCombined, filterByWords, type KeyPage, decodePeopleCursor, loadCombinedPeople } from './linked-people.js';
import { findNearIds } from './near-matches.js';
import { searchInTurn } from './search-in-turn.js';
import { findByWords, holdsAll, type WordIndex } from './word-search.js';
import { type OrderKey, SCANNED_AT_ONCE, scannedPage, SORTED_MAX, sortedPage } from './key-order.js';
import { orderFieldsOf, orderKeyOf, type PeopleSort } from './people-order.js';

export interface PeoplePage {
  readonly ids: readonly string[];
  readonly next: string | null;
}

interface PeopleRequest {
  readonly sort: PeopleSort;
  readonly words: readonly SearchWord[];
  readonly limit: number;
  readonly after: string | undefined;
}

/** `ids`: the matches by prefix or with a mistake; undefined for matches by word. */
type MatchedRequest = PeopleRequest & { readonly ids?: readonly string[] | undefined };

export const museWords = (models: ReadModels): WordIndex<MuseWordsDocument> => ({
  collection: models.of(MuseWords),
  index: 'byWord',
  equals: [true],
  order: 'since',
  names: { index: 'byName', field: 'names' },
});

/** Cursors name values, not offsets, so a muse that does not move is returned exactly once. */
export async function loadPeoplePage(models: ReadModels, request: PeopleRequest): Promise<PeoplePage> {
  if (request.words.length === 0) return loadMatches(models, request);
  const { results, next } = await searchInTurn(request.after, async (match, after) => {
    const ids = match === 'word' ? undefined : await findNearIds(museWords(models), request.words, match);
    const page = await loadMatches(models, { ...request, after, ids });
    return { results: page.ids, next: page.next };
  });
  return { ids: results, next };
}

async function loadMatches(models: ReadModels, request: MatchedRequest): Promise<PeoplePage> {
  const { sort, words, limit, after, ids } = request;
  if (ids === undefined && sort === 'new' && words.length > 0) {
    const { documents, next } = await findByWords(museWords(models), { words, limit, after });
    return { ids: documents.map(({ id }) => id), next };
  }
  const { keys, next } = await orderedPage(models, request);
  return { ids: keys.map(key => key.at(-1) as string), next };
}

/** People with an earlier identity are removed from the index page and merged in with their combined amounts. */
async function orderedPage(models: ReadModels, request: MatchedRequest): Promise<KeyPage> {
  const { sort, words, ids } = request;
  const combined = await loadCombinedPeople(models, sort);
  const uncombined = { ...request, keep: (id: string) => !combined.has(id) };
  return mergeCombined(
    await selectPage(models, uncombined),
    await filterByWords(models, combined, words, ids),
    request,
  );
}

type FilteredRequest = MatchedRequest & { readonly keep: (museId: string) => boolean };

async function selectPage(models: ReadModels, request: FilteredRequest): Promise<KeyPage> {
  const { sort, words, ids: known } = request;
  if (known !== undefined) return knownPage(models, request, known);
  if (words.length === 0) return indexedPage(models, request, { index: sort, equals: [true] });
  const skill = words.length === 1 ? skillIn(words[0]!.terms[0] ?? '') : undefined;
  if (skill !== undefined) return indexedPage(models, request, { index: `${sort}OfSkill`, equals: [true, skill] });
  const matches = await findByWords(museWords(models), { words, limit: SORTED_MAX });
  const ids = matches.documents.map(({ id }) => id);
  return matches.next === null ? knownPage(models, request, ids) : pageByWords(models, request);
}

async function indexedPage(
  models: ReadModels,
  { sort, limit, after, keep }: FilteredRequest,
  where: { readonly index: string; readonly equals: readonly Scalar[] },
): Promise<KeyPage> {
  const range = { ...where, order: 'desc', limit } as const;
  const { documents, next } = await fetchPage(models.of(People), {
    range,
    fields: orderFieldsOf(sort),
    cursor: ['after', after],
    keep: ({ muse_id }) => keep(muse_id),
  });
  return { keys: documents.map(({ body }) => orderKeyOf(sort, body)), next };
}

async function knownPage(
  models: ReadModels,
  { keep, ...request }: FilteredRequest,
  ids: readonly string[],
): Promise<KeyPage> {
  const people = await getMany(models.of(People), ids.filter(keep));
  return toKeys(
    sortedPage(
      people.map(({ body }) => body).filter(({ listed }) => listed),
      placeOf(request),
    ),
    request,
  );
}

/** Scans the ordered index and keeps the muses that hold all words. */
async function pageByWords(models: ReadModels, { words, keep, ...request }: FilteredRequest): Promise<KeyPage> {
  const range = { index: request.sort, equals: [true], order: 'desc', limit: SCANNED_AT_ONCE } as const;
  const read = async (after: OrderKey | undefined) =>
    (await models.of(People).find({ ...range, ...(after && { after }) })).map(({ body }) => body);
  const keepMatching = async (people: readonly PersonDocument[]) => {
    const documents = await models.of(MuseWords).getMany(people.map(({ muse_id }) => muse_id).filter(keep));
    const matching = new Set(documents.filter(({ body }) => holdsAll(body.words, words)).map(({ id }) => id));
    return people.filter(({ muse_id }) => matching.has(muse_id));
  };
  return toKeys(await scannedPage({ read, keep: keepMatching }, placeOf(request)), request);
}

type Place = Pick<PeopleRequest, 'sort' | 'limit' | 'after'>;

const placeOf = ({ sort, limit, after }: Place) => ({
  keyOf: (person: PersonDocument) => orderKeyOf(sort, person),
  limit,
  start: after === undefined ? undefined : decodePeopleCursor(after, sort),
});

const toKeys = ({ items, next }: { items: readonly PersonDocument[]; next: string | null }, { sort }: Place) => ({
  keys: items.map(person => orderKeyOf(sort, person)),
  next,
});
