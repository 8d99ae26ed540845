import type { Scalar } from '#libs/documents/port.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { encodeCursor, page } from '#libs/http/paging.js';
import { MuseWords, skillIn } from '#libs/features/profile/views/muse-words.js';
import { People } from '#libs/features/profile/views/people.js';
import { among, holding, type Keys, placeIn, withEarlierPeople } from './earlier-people.js';
import { holdingAll } from './holding-all.js';
import { descending, fieldsOf, keyOf, type Sort } from './people-order.js';

/** How many that hold the words are put in order at once; where more do, the ordered list is gone through. */
const ORDERED_MAX = 500;
/** How many of the ordered list one page goes through at most, and how many at once. */
const PASSED_MAX = 500;
const PASSED_AT_ONCE = 100;

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

export const museWords = (models: ReadModels) => ({
  collection: models.of(MuseWords),
  index: 'byWord',
  equals: [true],
  order: 'since' as const,
});

/** One page of those that are listed. A cursor names values and not places, so whoever does not move is shown once. */
export async function peoplePage(models: ReadModels, asked: Asked): Promise<PeoplePage> {
  const { sort, words, limit, after } = asked;
  if (sort === 'new' && words.length > 0) {
    const { documents, next } = await holdingAll(museWords(models), { words, limit, after });
    return { ids: documents.map(({ id }) => id), next };
  }
  const { keys, next } = await orderedPage(models, asked);
  return { ids: keys.map(key => key.at(-1) as string), next };
}

/** A page of an order. Who has an earlier identity is put in by what both have come to. */
async function orderedPage(models: ReadModels, asked: Asked): Promise<Keys> {
  const { sort, words } = asked;
  const added = await withEarlierPeople(models, sort);
  const own = { ...asked, keep: (id: string) => !added.has(id) };
  return among(await pageOf(models, own), await holding(models, added, words), asked);
}

type AskedOwn = Asked & { readonly keep: (museId: string) => boolean };

async function pageOf(models: ReadModels, asked: AskedOwn): Promise<Keys> {
  const { sort, words } = asked;
  if (words.length === 0) return listed(models, asked, { index: sort, equals: [true] });
  const skill = words.length === 1 ? skillIn(words[0]!) : undefined;
  if (skill !== undefined) return listed(models, asked, { index: `${sort}OfSkill`, equals: [true, skill] });
  const few = await holdingAll(museWords(models), { words, limit: ORDERED_MAX });
  const ids = few.documents.map(({ id }) => id);
  return few.next === null ? ordered(models, asked, ids) : passed(models, asked);
}

/** A page of a list that has an index of its own. */
async function listed(
  models: ReadModels,
  { sort, limit, after, keep }: AskedOwn,
  where: { readonly index: string; readonly equals: readonly Scalar[] },
): Promise<Keys> {
  const range = { ...where, order: 'desc', limit } as const;
  const { documents, next } = await page(models.of(People), {
    range,
    fields: fieldsOf(sort),
    cursor: ['after', after],
    keep: ({ muse_id }) => keep(muse_id),
  });
  return { keys: documents.map(({ body }) => keyOf(sort, body)), next };
}

/** A page of these, put in order here. */
async function ordered(
  models: ReadModels,
  { sort, limit, after, keep }: AskedOwn,
  ids: readonly string[],
): Promise<Keys> {
  const people = await models.of(People).getMany(ids.filter(keep));
  const keys = people.filter(({ body }) => body.listed).map(({ body }) => keyOf(sort, body));
  const last = after === undefined ? undefined : placeIn(after, sort);
  const behind = keys.sort(descending).filter(key => last === undefined || descending(last, key) < 0);
  const shown = behind.slice(0, limit);
  return { keys: shown, next: behind.length > limit ? encodeCursor(shown.at(-1)!) : null };
}

/** A page of the ordered list, of those that hold the words. */
async function passed(models: ReadModels, { sort, words, limit, after, keep }: AskedOwn): Promise<Keys> {
  let last = after === undefined ? undefined : placeIn(after, sort);
  const keys: Scalar[][] = [];
  for (let count = 0; count < PASSED_MAX; count += PASSED_AT_ONCE) {
    const range = { index: sort, equals: [true], order: 'desc', limit: PASSED_AT_ONCE } as const;
    const found = await models.of(People).find({ ...range, ...(last && { after: last }) });
    const said = await models.of(MuseWords).getMany(found.map(({ id }) => id).filter(keep));
    const holding = new Set(
      said.filter(({ body }) => words.every(word => body.words.includes(word))).map(({ id }) => id),
    );
    for (const { id, body } of found) {
      if (keys.length === limit) return { keys, next: encodeCursor(last!) };
      last = keyOf(sort, body);
      if (holding.has(id)) keys.push(last);
    }
    if (found.length < PASSED_AT_ONCE) return { keys, next: null };
  }
  return { keys, next: encodeCursor(last!) };
}
