import type { Scalar } from '#libs/documents/document-store.port.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { getMany } from '#libs/documents/get-many.js';
import { encodeCursor, fetchPage } from '#libs/http/paging.js';
import { MuseWords, type MuseWordsDocument, skillIn } from '#libs/features/identity/views/muse-words.js';
import type { SearchWord } from '#libs/kernel/search-terms.js';
import { People } from '#libs/features/identity/views/people.js';
import { mergeCombined, filterByWords, type KeyPage, decodePeopleCursor, loadCombinedPeople } from './linked-people.js';
import { findNearMatches, searchInTurn } from './near-matches.js';
import { findByWords, holdsAll, type WordIndex } from './word-search.js';
import { compareDescending, orderFieldsOf, orderKeyOf, type PeopleSort } from './people-order.js';

/** Above this many matches, the ordered index is scanned instead of sorting all matches. */
const SORTED_MAX = 500;
/** Bounds the scan of one page. */
const SCANNED_MAX = 500;
const SCANNED_AT_ONCE = 100;

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
    const ids = match === 'word' ? undefined : await findNearIds(models, request.words, match);
    const page = await loadMatches(models, { ...request, after, ids });
    return { results: page.ids, next: page.next };
  });
  return { ids: results, next };
}

const findNearIds = async (models: ReadModels, ...[words, match]: [readonly SearchWord[], 'prefix' | 'typo']) =>
  (await findNearMatches(museWords(models), words, match)).map(({ id }) => id);

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
  if (known !== undefined) return sortedPage(models, request, known);
  if (words.length === 0) return indexedPage(models, request, { index: sort, equals: [true] });
  const skill = words.length === 1 ? skillIn(words[0]!.terms[0] ?? '') : undefined;
  if (skill !== undefined) return indexedPage(models, request, { index: `${sort}OfSkill`, equals: [true, skill] });
  const matches = await findByWords(museWords(models), { words, limit: SORTED_MAX });
  const ids = matches.documents.map(({ id }) => id);
  return matches.next === null ? sortedPage(models, request, ids) : scannedPage(models, request);
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

async function sortedPage(
  models: ReadModels,
  { sort, limit, after, keep }: FilteredRequest,
  ids: readonly string[],
): Promise<KeyPage> {
  const people = await getMany(models.of(People), ids.filter(keep));
  const keys = people.filter(({ body }) => body.listed).map(({ body }) => orderKeyOf(sort, body));
  const last = after === undefined ? undefined : decodePeopleCursor(after, sort);
  const remaining = keys.sort(compareDescending).filter(key => last === undefined || compareDescending(last, key) < 0);
  const page = remaining.slice(0, limit);
  return { keys: page, next: remaining.length > limit ? encodeCursor(page.at(-1)!) : null };
}

/** Scans the ordered index and keeps the muses that hold all words. */
async function scannedPage(models: ReadModels, { sort, words, limit, after, keep }: FilteredRequest): Promise<KeyPage> {
  let last = after === undefined ? undefined : decodePeopleCursor(after, sort);
  const keys: Scalar[][] = [];
  for (let count = 0; count < SCANNED_MAX; count += SCANNED_AT_ONCE) {
    const range = { index: sort, equals: [true], order: 'desc', limit: SCANNED_AT_ONCE } as const;
    const people = await models.of(People).find({ ...range, ...(last && { after: last }) });
    const documents = await models.of(MuseWords).getMany(people.map(({ id }) => id).filter(keep));
    const matching = new Set(documents.filter(({ body }) => holdsAll(body.words, words)).map(({ id }) => id));
    for (const { id, body } of people) {
      if (keys.length === limit) return { keys, next: encodeCursor(last!) };
      last = orderKeyOf(sort, body);
      if (matching.has(id)) keys.push(last);
    }
    if (people.length < SCANNED_AT_ONCE) return { keys, next: null };
  }
  return { keys, next: encodeCursor(last!) };
}
