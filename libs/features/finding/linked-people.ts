import type { Scalar } from '#libs/documents/document-store.port.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { decodeCursor, encodeCursor } from '#libs/http/paging.js';
import { loadMutualEndorsements } from '#libs/features/network/views/mutual-endorsements.js';
import { MuseWords } from '#libs/features/identity/views/muse-words.js';
import { Muses } from '#libs/features/identity/views/muses.js';
import { sortableAmount, People, type PersonDocument } from '#libs/features/identity/views/people.js';
import { compareDescending } from './key-order.js';
import { orderKeyOf, type PeopleSort } from './people-order.js';
import type { SearchWord } from '#libs/kernel/search-terms.js';
import { holdsAll } from './word-search.js';
import { getById } from '#libs/documents/get-many.js';

/** Maximum earlier identities that are added to their later ones, largest first. */
const EARLIER_MAX = 500;

type CombinedPeople = ReadonlyMap<string, PersonDocument>;
type LinkedPair = readonly [person: PersonDocument, earlier: PersonDocument];

/** People with an earlier identity, with the amounts of both added. Empty for sorts that linking does not change. */
export async function loadCombinedPeople(models: ReadModels, sort: PeopleSort): Promise<CombinedPeople> {
  if (sort !== 'earned' && sort !== 'endorsed') return new Map();
  return models.memoize(`people with their earlier ${sort}`, () => combineLinked(models, sort));
}

async function combineLinked(models: ReadModels, sort: 'earned' | 'endorsed'): Promise<CombinedPeople> {
  const people = models.of(People);
  const range = { index: `${sort}OfLinked`, equals: [true], order: 'desc', limit: EARLIER_MAX } as const;
  const earlier = await people.find(range);
  if (earlier.length === 0) return new Map();
  const muses = await models.of(Muses).getMany(earlier.map(({ id }) => id));
  const laterOf = new Map(muses.map(({ id, body }) => [id, body.linked_to ?? '']));
  const later = await getById(people, [...laterOf.values()]);
  const pairs = earlier.flatMap(({ id, body }): LinkedPair[] => {
    const person = later.get(laterOf.get(id) ?? '');
    return person?.listed ? [[person, body]] : [];
  });
  return new Map((await (sort === 'earned' ? pairs : excludeMutual(models, pairs))).map(combinePair));
}

/** Endorsements between linked identities do not count. */
async function excludeMutual(models: ReadModels, pairs: readonly LinkedPair[]): Promise<LinkedPair[]> {
  const ids = pairs.map(([person, earlier]) => [person.muse_id, earlier.muse_id] as const);
  const mutual = await loadMutualEndorsements(models, ids);
  return pairs.map(([person, earlier]) => {
    const { count } = mutual.get(person.muse_id)!;
    return [{ ...person, endorsed: person.endorsed - count }, earlier];
  });
}

const combinePair = ([person, { earned, endorsed }]: LinkedPair): [string, PersonDocument] => [
  person.muse_id,
  {
    ...person,
    earned: sortableAmount(BigInt(person.earned) + BigInt(earned)),
    endorsed: person.endorsed + endorsed,
  },
];

/** `ids`: the matches, if they are known. */
export async function filterByWords(
  models: ReadModels,
  people: CombinedPeople,
  words: readonly SearchWord[],
  ids: readonly string[] | undefined,
): Promise<PersonDocument[]> {
  if (ids !== undefined) return ids.flatMap(id => people.get(id) ?? []);
  if (words.length === 0 || people.size === 0) return [...people.values()];
  const documents = await models.of(MuseWords).getMany([...people.keys()]);
  const matchingIds = new Set(documents.filter(({ body }) => holdsAll(body.words, words)).map(({ id }) => id));
  return [...people.values()].filter(({ muse_id }) => matchingIds.has(muse_id));
}

export interface KeyPage {
  readonly keys: readonly (readonly Scalar[])[];
  readonly next: string | null;
}

/** Inserts the combined people between the page's first and last key. */
export function mergeCombined(
  { keys, next }: KeyPage,
  people: readonly PersonDocument[],
  { sort, limit, after }: { readonly sort: PeopleSort; readonly limit: number; readonly after: string | undefined },
): KeyPage {
  if (people.length === 0) return { keys, next };
  const [start, end] = [after, next].map(cursor => (cursor == null ? null : decodePeopleCursor(cursor, sort)));
  const combined = people
    .map(person => orderKeyOf(sort, person))
    .filter(key => (!start || compareDescending(start, key) < 0) && (!end || compareDescending(key, end) <= 0));
  const all = [...keys, ...combined].sort(compareDescending);
  return all.length > limit ? { keys: all.slice(0, limit), next: encodeCursor(all[limit - 1]!) } : { keys: all, next };
}

export const decodePeopleCursor = (cursor: string, sort: PeopleSort) =>
  decodeCursor(cursor, 'after', sort === 'new' ? 2 : 3);
