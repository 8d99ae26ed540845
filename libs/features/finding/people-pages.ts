import type { Scalar } from '#libs/documents/port.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { decodeCursor, encodeCursor, page } from '#libs/http/paging.js';
import { MuseWords, type MuseWordsDocument, skillIn } from '#libs/views/muse-words.js';
import { People, type PersonDocument } from '#libs/views/people.js';
import { holdingAll } from './holding-all.js';

/** How many that hold the words are put in order at once; where more do, the ordered list is gone through. */
const ORDERED_MAX = 500;
/** How many of the ordered list one page goes through at most, and how many at once. */
const PASSED_MAX = 500;
const PASSED_AT_ONCE = 100;

export const SORTS = ['new', 'verified', 'earned', 'endorsed', 'connections'] as const;
export type Sort = (typeof SORTS)[number];

export interface PeoplePage {
  readonly ids: readonly string[];
  readonly next: string | null;
}

interface Asked {
  readonly sort: Sort;
  /** All of which a muse must hold. */
  readonly words: readonly string[];
  readonly limit: number;
  readonly after: string | undefined;
}

/** What a sort orders by: each list ends with where in the log a muse joined, and its id. */
const fieldsOf = (sort: Sort): (keyof PersonDocument & string)[] => (sort === 'new' ? ['since'] : [sort, 'since']);

export const museWords = (models: ReadModels) => ({
  collection: models.of(MuseWords),
  index: 'byWord',
  equals: [true],
  order: 'since' as const,
  wordsIn: ({ words }: MuseWordsDocument) => words,
});

/** One page of those that are listed. A cursor names values and not places, so whoever does not move is shown once. */
export async function peoplePage(models: ReadModels, asked: Asked): Promise<PeoplePage> {
  const { sort, words, limit, after } = asked;
  if (words.length === 0) return listed(models, asked, { index: sort, equals: [true] });
  const skill = words.length === 1 ? skillIn(words[0]!) : undefined;
  if (skill !== undefined && sort !== 'new') {
    return listed(models, asked, { index: `${sort}OfSkill`, equals: [true, skill] });
  }
  if (sort === 'new') {
    const { documents, next } = await holdingAll(museWords(models), { words, limit, after });
    return { ids: documents.map(({ id }) => id), next };
  }
  const few = await holdingAll(museWords(models), { words, limit: ORDERED_MAX });
  return few.next === null
    ? ordered(
        models,
        asked,
        few.documents.map(({ id }) => id),
      )
    : passed(models, asked);
}

/** A page of a list that has an index of its own. */
async function listed(
  models: ReadModels,
  { sort, limit, after }: Asked,
  where: { readonly index: string; readonly equals: readonly Scalar[] },
): Promise<PeoplePage> {
  const range = { ...where, order: 'desc', limit } as const;
  const { documents, next } = await page(models.of(People), {
    range,
    fields: fieldsOf(sort),
    cursor: ['after', after],
  });
  return { ids: documents.map(({ id }) => id), next };
}

const keyOf = (sort: Sort, person: PersonDocument): Scalar[] => [
  ...fieldsOf(sort).map(field => person[field] as Scalar),
  person.muse_id,
];

/** Descending; null is the least. Values of one field are of one kind. */
function descending(a: readonly Scalar[], b: readonly Scalar[]): number {
  for (const [at, value] of a.entries()) {
    const other = b[at]!;
    if (value === other) continue;
    if (value === null) return 1;
    if (other === null) return -1;
    return value > other ? -1 : 1;
  }
  return 0;
}

/** A page of these, put in order here. */
async function ordered(models: ReadModels, { sort, limit, after }: Asked, ids: readonly string[]): Promise<PeoplePage> {
  const people = await models.of(People).getMany(ids);
  const keys = people.filter(({ body }) => body.listed).map(({ body }) => keyOf(sort, body));
  const last = after === undefined ? undefined : decodeCursor(after, 'after', fieldsOf(sort).length + 1);
  const behind = keys.sort(descending).filter(key => last === undefined || descending(last, key) < 0);
  const shown = behind.slice(0, limit);
  return {
    ids: shown.map(key => key.at(-1) as string),
    next: behind.length > limit ? encodeCursor(shown.at(-1)!) : null,
  };
}

/** A page of the ordered list, of those that hold the words. */
async function passed(models: ReadModels, { sort, words, limit, after }: Asked): Promise<PeoplePage> {
  const fields = fieldsOf(sort);
  let last = after === undefined ? undefined : decodeCursor(after, 'after', fields.length + 1);
  const ids: string[] = [];
  for (let count = 0; count < PASSED_MAX; count += PASSED_AT_ONCE) {
    const range = { index: sort, equals: [true], order: 'desc', limit: PASSED_AT_ONCE } as const;
    const found = await models.of(People).find({ ...range, ...(last && { after: last }) });
    const said = await models.of(MuseWords).getMany(found.map(({ id }) => id));
    const holding = new Set(
      said.filter(({ body }) => words.every(word => body.words.includes(word))).map(({ id }) => id),
    );
    for (const { id, body } of found) {
      if (ids.length === limit) return { ids, next: encodeCursor(last!) };
      if (holding.has(id)) ids.push(id);
      last = keyOf(sort, body);
    }
    if (found.length < PASSED_AT_ONCE) return { ids, next: null };
  }
  return { ids, next: encodeCursor(last!) };
}
