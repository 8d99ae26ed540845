import { expect, test } from '@jest/globals';
import type { Collection, DocumentStore, IndexRange, Scalar } from '#libs/documents/document-store.port.js';
import { LOG_START } from '#libs/kernel/event.js';
import type { StoredDocument } from '#libs/kernel/projection.js';
import type { Open } from './adapters.js';
import { at, batch, type Doc, profiles, range, type Ready, ready } from './documents.samples.js';

export function finds(open: Open<DocumentStore>): void {
  test('an index orders by its fields and then by id, nulls first, in both directions', async () => {
    const { collection } = await scored(open);
    const ids = async (more: Partial<IndexRange>) =>
      (await collection.find(range('by_score', more))).map(each => each.id);
    const ascending = ['missing', 'null', 'minus', 'a', 'b', 'half', 'large', 'text', 'text2'];
    expect(await ids({})).toEqual(ascending);
    expect(await ids({ order: 'desc' })).toEqual([...ascending].reverse());
  });

  test('pages continue without gaps for every size and order', async () => {
    const { collection } = await scored(open);
    for (const order of ['asc', 'desc'] as const) {
      const whole = (await collection.find(range('by_score', { order }))).map(each => each.id);
      for (let limit = 1; limit <= whole.length; limit += 1)
        expect(await paged(collection, { ...range('by_score'), order, limit }, ['score'])).toEqual(whole);
    }
  });

  test('a prefix of the fields is compared for equality by type', async () => {
    const { collection } = await inCities(open);
    const ids = async (...equals: Scalar[]) =>
      (await collection.find(range('by_city', { equals }))).map(each => each.id);
    expect(await ids('Rome')).toEqual(['r0', 'r1', 'r3', 'r2']);
    expect(await ids('Rome', true)).toEqual(['r3', 'r2']);
    expect(await ids('Rome', false)).toEqual(['r1']);
    expect(await ids('Rome', null)).toEqual(['r0']);
    expect(await ids('Rome', true, 7)).toEqual(['r3']);
    expect(await ids(null)).toEqual(['n1']);
    expect(await ids('')).toEqual(['e1']);
    expect(await ids('Nowhere')).toEqual([]);
  });

  test('pages within an equality contain only equal documents', async () => {
    const { collection } = await inCities(open);
    const rest = { Rome: ['open', 'score'], true: ['score'] };
    for (const order of ['asc', 'desc'] as const) {
      const rome = range('by_city', { equals: ['Rome'], order, limit: 1 });
      const expected = ['r0', 'r1', 'r3', 'r2'];
      expect(await paged(collection, rome, rest.Rome)).toEqual(order === 'asc' ? expected : expected.reverse());
      const open = range('by_city', { equals: ['Rome', true], order, limit: 1 });
      expect(await paged(collection, open, rest.true)).toEqual(order === 'asc' ? ['r3', 'r2'] : ['r2', 'r3']);
      const one = range('by_city', { equals: ['Rome', true, 7], order, limit: 1 });
      expect(await paged(collection, one, [])).toEqual(['r3']);
    }
  });

  test('stamps return ids and positions of a range or of given ids', async () => {
    const { store, collection, lease } = await scored(open);
    const stamps = async (request: IndexRange | string[]) => (await collection.stamps(request)).of;
    const shortened = ({ id, position }: StoredDocument) => ({ id, position });
    for (const order of ['asc', 'desc'] as const) {
      const byScore = range('by_score', { order, limit: 5 });
      expect(await stamps(byScore)).toEqual((await collection.find(byScore)).map(shortened));
      const behind = { ...byScore, after: [1, 'a'] };
      expect(await stamps(behind)).toEqual((await collection.find(behind)).map(shortened));
    }
    const ids = ['b', 'nobody', 'a'];
    expect(new Set(await stamps(ids))).toEqual(new Set((await collection.getMany(ids)).map(shortened)));
    expect(await stamps([])).toEqual([]);
    await store.commit([batch(9, 10, ['a', 10, { score: 2 }])], lease);
    expect(await stamps(['a'])).toEqual([{ id: 'a', position: at(10) }]);
    expect((await collection.stamps(['a'])).build).toBe((await collection.stamps(range('by_score'))).build);
    await expect(stamps(Array.from({ length: 1_001 }, String))).rejects.toThrow(RangeError);
    await expect(stamps(range('by_nothing'))).rejects.toThrow('by_nothing');
  });

  test('a changed document moves in the index', async () => {
    const { store, collection, lease } = await scored(open);
    await store.commit([batch(9, 10, ['a', 10, { score: 1_000_000 }])], lease);
    expect((await collection.find(range('by_score', { equals: [1] }))).map(each => each.id)).toEqual(['b']);
    expect((await collection.find(range('by_score', { equals: [1_000_000] }))).map(each => each.id)).toEqual(['a']);
  });

  test('a sparse index has only documents with a value, and follows each change of it', async () => {
    const { store, collection, lease } = await ready(open);
    const docs: Doc[] = [
      ['glad', 1, { mood: 'glad', score: 2 }],
      ['glad2', 1, { mood: 'glad', score: 1 }],
      ['yes', 1, { mood: true, score: 1 }],
      ['seven', 1, { mood: 7, score: 1 }],
      ['no', 1, { mood: false, score: 1 }],
      ['null', 1, { mood: null, score: 1 }],
      ['none', 1, { score: 1 }],
    ];
    await store.commit([batch(0, 1, ...docs)], lease);
    const ids = async (equals: Scalar[], order: IndexRange['order'] = 'asc') =>
      (await collection.find(range('by_mood', { equals, order }))).map(({ id }) => id);
    expect(await ids(['glad'])).toEqual(['glad2', 'glad']);
    expect(await ids(['glad'], 'desc')).toEqual(['glad', 'glad2']);
    expect([await ids([true]), await ids([7, 1])]).toEqual([['yes'], ['seven']]);
    expect(await paged(collection, range('by_mood', { equals: ['glad'], limit: 1 }), ['score'])).toEqual([
      'glad2',
      'glad',
    ]);
    for (const equals of [[], [null], [false]] as Scalar[][]) await expect(ids(equals)).rejects.toThrow('by_mood');
    for (const number of [0, -0, -1]) expect(await ids([number])).toEqual([]);
    const changes: Doc[] = [
      ['glad', 2, { mood: null, score: 2 }],
      ['null', 2, { mood: 'glad', score: 9 }],
      ['glad2', 2, null],
    ];
    await store.commit([batch(1, 2, ...changes)], lease);
    expect(await ids(['glad'])).toEqual(['null']);
  });

  test('a list index has a document once per text, ordered by the other fields', async () => {
    const { collection } = await tagged(open);
    const ids = async (...equals: Scalar[]) => (await collection.find(range('by_tag', { equals }))).map(({ id }) => id);
    expect(await ids(true, 'red')).toEqual(['d', 'c', 'a']);
    expect(await ids(true, 'blue')).toEqual(['a', 'b']);
    expect(await ids(true, 'blue', 2)).toEqual(['b']);
    expect(await ids(false, 'red')).toEqual(['shut']);
    expect(await ids(true, 're')).toEqual([]);
    expect(await ids(true, '')).toEqual([]);
    for (const order of ['asc', 'desc'] as const) {
      const red = range('by_tag', { equals: [true, 'red'], order, limit: 1 });
      expect(await paged(collection, red, ['score'])).toEqual(order === 'asc' ? ['d', 'c', 'a'] : ['a', 'c', 'd']);
    }
  });

  test('a document with a changed list or a removed one is found by its new state only', async () => {
    const { store, collection, lease } = await tagged(open);
    const changes: Doc[] = [
      ['a', 10, { open: true, tags: ['blue', 'green', 'green'], score: 9 }],
      ['b', 10, null],
      ['c', 10, { open: false, tags: ['red'], score: 1 }],
      ['d', 10, { open: true, tags: ['red'], score: -5, other: true }],
    ];
    await store.commit([batch(7, 10, ...changes)], lease);
    const ids = async (...equals: Scalar[]) => (await collection.find(range('by_tag', { equals }))).map(({ id }) => id);
    expect(await ids(true, 'red')).toEqual(['d']);
    expect(await ids(true, 'blue')).toEqual(['a']);
    expect(await ids(true, 'green')).toEqual(['a']);
    expect(await ids(false, 'red')).toEqual(['c', 'shut']);
    expect((await collection.find(range('by_tag', { equals: [true, 'green'] })))[0]!.body).toEqual(changes[0]![2]);
  });

  test('a sparse list index follows each change of its first field', async () => {
    const { store, collection, lease } = await ready(open);
    const docs: Doc[] = [
      ['a', 1, { mood: true, tags: ['red', 'blue'], score: 1 }],
      ['b', 1, { mood: false, tags: ['red'], score: 1 }],
    ];
    await store.commit([batch(0, 1, ...docs)], lease);
    const ids = async (...equals: Scalar[]) =>
      (await collection.find(range('by_mood_and_tag', { equals }))).map(({ id }) => id);
    expect([await ids(true, 'red'), await ids(true, 'blue')]).toEqual([['a'], ['a']]);
    await expect(ids(false, 'red')).rejects.toThrow('by_mood_and_tag');
    const changes: Doc[] = [
      ['a', 2, { mood: false, tags: ['red', 'green'], score: 1 }],
      ['b', 2, { mood: true, tags: ['red', 'green'], score: 1 }],
    ];
    await store.commit([batch(1, 2, ...changes)], lease);
    expect([await ids(true, 'red'), await ids(true, 'green'), await ids(true, 'blue')]).toEqual([['b'], ['b'], []]);
  });

  test('a list index that is declared later covers earlier documents and new builds', async () => {
    const { store, lease } = await tagged(open);
    const later = { ...profiles, indexes: { ...profiles.indexes, by_word: ['tags[]', 'score'] } };
    const there = await open();
    const collection = await there.open(later);
    const red = range('by_word', { equals: ['red'] });
    expect((await collection.find(red)).map(({ id }) => id)).toEqual(['d', 'c', 'shut', 'a']);
    await store.commit([batch(7, 8, ['e', 8, { tags: ['red'], score: 0 }])], lease);
    expect((await collection.find(red)).map(({ id }) => id)).toEqual(['d', 'e', 'c', 'shut', 'a']);
    const [build] = await there.builds.begin(later);
    const { documents } = batch(0, 8, ['n', 8, { tags: ['red', 'red'], score: 1 }]);
    await there.builds.fill(build, { documents, from: LOG_START, to: at(8), isGentle: true }, async () => lease);
    expect((await build.collection.find(red)).map(({ id }) => id)).toEqual(['n']);
    await there.builds.drop(build.name);
    expect((await collection.find(red)).map(({ id }) => id)).toEqual(['d', 'e', 'c', 'shut', 'a']);
  });

  test('refuses a range with an unknown index, too many values or a wrong limit', async () => {
    const { collection } = await ready(open);
    const wrong: IndexRange[] = [
      range('by_name'),
      range('constructor'),
      range('by_score', { equals: [1, 2] }),
      range('by_score', { after: ['a'] }),
      range('by_score', { equals: [1], after: [1, 'a'] }),
      range('by_tag'),
      range('by_tag', { equals: [true] }),
      range('by_mood_and_tag', { equals: [true] }),
      range('by_score', { limit: 0 }),
      range('by_score', { limit: 1_001 }),
    ];
    for (const each of wrong) await expect(collection.find(each)).rejects.toThrow(Error);
  });
}

async function scored(open: Open<DocumentStore>): Promise<Ready> {
  const made = await ready(open);
  const scores = { b: 1, a: 1, half: 1.5, minus: -2, large: 2 ** 53 - 1, null: null, text: '10', text2: '9' };
  const docs = Object.entries(scores).map(([id, score], index): Doc => [id, index + 1, { score }]);
  await made.store.commit([batch(0, 9, ...docs, ['missing', 9, { other: 1 }])], made.lease);
  return made;
}

async function inCities(open: Open<DocumentStore>): Promise<Ready> {
  const made = await ready(open);
  const docs: Doc[] = [
    ['r0', 1, { city: 'Rome', score: 1 }],
    ['r1', 2, { city: 'Rome', open: false, score: 5 }],
    ['r2', 3, { city: 'Rome', open: true, score: 9 }],
    ['r3', 4, { city: 'Rome', open: true, score: 7 }],
    ['o1', 5, { city: 'Oslo', open: true, score: 7 }],
    ['n1', 6, { city: null, open: true, score: 7 }],
    ['e1', 7, { city: '', open: true, score: 7 }],
  ];
  await made.store.commit([batch(0, 7, ...docs)], made.lease);
  return made;
}

async function tagged(open: Open<DocumentStore>): Promise<Ready> {
  const made = await ready(open);
  const docs: Doc[] = [
    ['a', 1, { open: true, tags: ['red', 'blue'], score: 1.5 }],
    ['b', 2, { open: true, tags: ['blue', 'blue'], score: 2 }],
    ['c', 3, { open: true, tags: ['red', 'größer'], score: 1 }],
    ['d', 4, { open: true, tags: ['red'] }],
    ['shut', 5, { open: false, tags: ['red'], score: 1 }],
    ['bare', 6, { open: true, tags: [], score: 1 }],
    ['none', 7, { open: true, score: 1 }],
  ];
  await made.store.commit([batch(0, 7, ...docs)], made.lease);
  return made;
}

/** Returns the ids of all pages. `rest` names the fields that order them. */
async function paged(collection: Collection, range: IndexRange, rest: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (let after: Scalar[] | undefined; ;) {
    const page = await collection.find({ ...range, after });
    const last = page.at(-1);
    if (!last) return ids;
    ids.push(...page.map(each => each.id));
    after = [...rest.map(field => (last.body[field] as Scalar | undefined) ?? null), last.id];
  }
}
