import type { Scalar } from '#libs/documents/port.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { decodeCursor, encodeCursor } from '#libs/http/paging.js';
import { saidOfEachOther } from '#libs/features/profile/views/linked.js';
import { MuseWords } from '#libs/features/profile/views/muse-words.js';
import { Muses } from '#libs/features/profile/views/muses.js';
import { inOrder, People, type PersonDocument } from '#libs/features/profile/views/people.js';
import { descending, keyOf, type Sort } from './people-order.js';

/** How many earlier identities are counted for the others, those that have come to most. */
const EARLIER_MAX = 500;

/** By their ids, those who have come to more than their own documents say. */
type Counted = ReadonlyMap<string, PersonDocument>;
type Both = readonly [person: PersonDocument, earlier: PersonDocument];

/** Who has an earlier identity, with what that one has come to; in an order that no such identity changes, nobody. */
export async function withEarlierPeople(models: ReadModels, sort: Sort): Promise<Counted> {
  if (sort !== 'earned' && sort !== 'endorsed') return new Map();
  return models.remember(`people with their earlier ${sort}`, () => counted(models, sort));
}

async function counted(models: ReadModels, sort: 'earned' | 'endorsed'): Promise<Counted> {
  const people = models.of(People);
  const range = { index: `${sort}OfLinked`, equals: [true], order: 'desc', limit: EARLIER_MAX } as const;
  const earlier = await people.find(range);
  if (earlier.length === 0) return new Map();
  const muses = await models.of(Muses).getMany(earlier.map(({ id }) => id));
  const laterOf = new Map(muses.map(({ id, body }) => [id, body.linked_to ?? '']));
  const later = new Map((await people.getMany([...new Set(laterOf.values())])).map(({ id, body }) => [id, body]));
  const both = earlier.flatMap(({ id, body }): Both[] => {
    const person = later.get(laterOf.get(id) ?? '');
    return person?.listed ? [[person, body]] : [];
  });
  return new Map((await (sort === 'earned' ? both : withoutEachOther(models, both))).map(together));
}

/** As profiles count: without what two who count as one said of each other. */
async function withoutEachOther(models: ReadModels, both: readonly Both[]): Promise<Both[]> {
  const said = await saidOfEachOther(
    models,
    both.map(([person, earlier]) => [person.muse_id, earlier.muse_id]),
  );
  return both.map(([person, earlier]) => {
    const { count } = said.get(person.muse_id)!;
    return [{ ...person, endorsed: person.endorsed - count }, earlier];
  });
}

const together = ([person, { earned, endorsed }]: Both): [string, PersonDocument] => [
  person.muse_id,
  {
    ...person,
    earned: inOrder(BigInt(person.earned) + BigInt(earned)),
    endorsed: person.endorsed + endorsed,
  },
];

/** Those of them who hold all words. */
export async function holding(
  models: ReadModels,
  people: Counted,
  words: readonly string[],
): Promise<PersonDocument[]> {
  if (words.length === 0 || people.size === 0) return [...people.values()];
  const said = await models.of(MuseWords).getMany([...people.keys()]);
  const holds = new Set(said.filter(({ body }) => words.every(word => body.words.includes(word))).map(({ id }) => id));
  return [...people.values()].filter(({ muse_id }) => holds.has(muse_id));
}

/** A page of the others: their keys in order, and where it goes on. */
export interface Keys {
  readonly keys: readonly (readonly Scalar[])[];
  readonly next: string | null;
}

/** The page with these in their places: none that stands before it or behind where it ends. */
export function among(
  { keys, next }: Keys,
  people: readonly PersonDocument[],
  { sort, limit, after }: { readonly sort: Sort; readonly limit: number; readonly after: string | undefined },
): Keys {
  if (people.length === 0) return { keys, next };
  const [start, end] = [after, next].map(cursor => (cursor == null ? null : placeIn(cursor, sort)));
  const own = people
    .map(person => keyOf(sort, person))
    .filter(key => (!start || descending(start, key) < 0) && (!end || descending(key, end) <= 0));
  const all = [...keys, ...own].sort(descending);
  return all.length > limit ? { keys: all.slice(0, limit), next: encodeCursor(all[limit - 1]!) } : { keys: all, next };
}

/** What a cursor of an ordered list says. */
export const placeIn = (cursor: string, sort: Sort) => decodeCursor(cursor, 'after', sort === 'new' ? 2 : 3);
