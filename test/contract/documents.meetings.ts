import { expect, test } from '@jest/globals';
import type {
  Collection,
  DocumentStore,
  Scalar,
  TermIntersection,
  TextPattern,
} from '#libs/documents/document-store.port.js';
import type { Open } from './adapters.js';
import { batch, type Doc, range, ready } from './documents.samples.js';

const COUNT = 60;
/** Values of every kind, with duplicates. */
const SCORES: readonly Scalar[] = [null, -2, 1, 1.5, true, '9', '10', 'für', 'z'];
/** `second` and `fourth` are frequent and overlap, `even` and `odd` never do, `tenth` is rare, `last` the rarest. */
const TAGS: readonly (readonly [string, (n: number) => boolean])[] = [
  ['even', n => n % 2 === 0],
  ['odd', n => n % 2 === 1],
  ['fourth', n => n % 4 === 0],
  ['tenth', n => n % 10 === 0],
  ['last', n => n === COUNT - 1 || n === 0],
];

export function meetings(open: Open<DocumentStore>): void {
  const questions = [
    ['even', 'fourth'],
    ['tenth', 'even'],
    ['fourth', 'tenth', 'even'],
    ['even', 'last'],
    ['even', 'odd'],
    ['odd', 'nowhere'],
  ].map(texts => texts.map(text => [text]));
  const sets = [
    [['tenth', 'last', 'nowhere']],
    [['even', 'odd'], ['fourth']],
    [
      ['tenth', 'last'],
      ['even', 'fourth'],
    ],
    [['nowhere', 'odd'], ['even', 'last'], ['last']],
    [['nowhere', 'missing'], ['even']],
  ];

  test('finds the documents with a text of each set in order, for every limit', async () => {
    const collection = await filled(open);
    for (const texts of [...questions, ...sets])
      for (const order of ['asc', 'desc'] as const) {
        const expected = await common(collection, texts, order);
        for (const limit of [3, 1_000])
          for (const within of [4, 1_000])
            expect(await walked(collection, { ...intersectionOf(texts), order, limit, within })).toEqual(expected);
      }
  });

  test('a scan ends at its limit on the rarest text, and with null at the end', async () => {
    const collection = await filled(open);
    const look = (texts: string[], within: number, after?: readonly Scalar[]) =>
      collection.intersect({
        ...intersectionOf(texts.map(text => [text])),
        limit: 100,
        within,
        ...(after && { after }),
      });
    const tenths = await collection.find(range('by_tag', { equals: [true, 'tenth'], limit: 100 }));
    const third = tenths[2]!;
    const first = await look(['even', 'tenth'], 3);
    expect(first.documents).toEqual(tenths.slice(0, 3));
    expect([first.end, third.body['score']]).toEqual([[1, third.id], true]);
    expect((await look(['tenth', 'even'], 2, first.end!)).documents).toEqual(tenths.slice(3, 5));
    expect(await look(['even', 'tenth'], 100)).toEqual({ documents: tenths, end: null });
    expect(await look(['even', 'odd'], 1_000)).toEqual({ documents: [], end: null });
    expect((await look(['even', 'odd'], 10)).end).not.toBeNull();
  });

  test('finds the entries of a pattern, by prefix or by text', async () => {
    const collection = await filled(open);
    const all = await collection.find(range('by_open', { equals: [true], limit: 1_000 }));
    const withTag = (...tags: string[]) =>
      all
        .filter(({ body }) => tags.some(tag => (body['tags'] as string[]).includes(tag)))
        .map(({ id, body }) => `${String(Number(body['score']))} ${id}`);
    const query = { index: 'by_tag', equals: [true], within: 2_000 };
    const entries = async (pattern: TextPattern) => {
      const { keys, isComplete } = await collection.findEntries({ ...query, pattern });
      expect(isComplete).toBe(true);
      return [...new Set(keys.map(([score, id]) => `${String(Number(score))} ${String(id)}`))].sort();
    };
    const even = { prefix: 'ev', texts: [] };
    expect(await entries(even)).toEqual(withTag('even').sort());
    const several = { prefix: 'ten', texts: ['last', 'nowhere'] };
    expect(await entries(several)).toEqual(withTag('tenth', 'last').sort());
    expect(await entries({ prefix: null, texts: ['last'] })).toEqual(withTag('last').sort());
    expect(await entries({ prefix: null, texts: [] })).toEqual([]);
    expect(await entries({ prefix: 'evex', texts: [] })).toEqual([]);
    const few = { ...query, pattern: even, within: 5 };
    const { keys, isComplete } = await collection.findEntries(few);
    expect([keys.length, isComplete]).toEqual([5, false]);
    for (const each of [{ within: 0 }, { within: 2_001 }, { index: 'by_open' }, { equals: [] }])
      await expect(collection.findEntries({ ...few, ...each })).rejects.toThrow(Error);
  });

  test('finds those of many texts that a document has, beside others of the query', async () => {
    const collection = await filled(open);
    const ends = ['', 'th', 'n'];
    const families = new Map(['zeb', 'eve', 'eves', 'ten', 'la', 'last', 'ode'].map(each => [each, ends]));
    const query = { index: 'by_tag', equals: [true], families };
    const asked = [...families.keys()].flatMap(each => ends.map(end => each + end));
    const texts = await collection.findTexts(query);
    expect(texts).toEqual(expect.arrayContaining(['even', 'tenth', 'last']));
    expect(texts.filter(text => !asked.includes(text))).toEqual([]);
    expect(await collection.findTexts({ ...query, families: new Map() })).toEqual([]);
  });

  test('refuses no texts, duplicate texts, several lists and wrong limits', async () => {
    const collection = await filled(open);
    const wrong: Partial<TermIntersection>[] = [
      { index: 'by_score' },
      { index: 'by_name' },
      { equals: [] },
      { equals: [true, 'even'] },
      { texts: [] },
      { texts: [['even'], []] },
      { texts: [['even', 'even']] },
      { limit: 0 },
      { within: 0 },
      { within: 1_001 },
      { after: ['a'] },
    ];
    for (const each of wrong)
      await expect(collection.intersect({ ...intersectionOf([['even'], ['odd']]), ...each })).rejects.toThrow(Error);
  });
}

const intersectionOf = (texts: TermIntersection['texts']): TermIntersection => ({
  index: 'by_tag',
  equals: [true],
  texts,
  order: 'asc',
  limit: 10,
  within: 1_000,
});

async function filled(open: Open<DocumentStore>): Promise<Collection> {
  const { store, collection, lease } = await ready(open);
  const docs = Array.from({ length: COUNT }, (_, n): Doc => {
    const tags = TAGS.filter(([, holds]) => holds(n)).map(([tag]) => tag);
    return [`d${(n * 7_919) % 1_009}`, n + 1, { open: n % 11 !== 3, tags, score: SCORES[n % SCORES.length]! }];
  });
  await store.commit([batch(0, COUNT, ...docs)], lease);
  return collection;
}

async function common(
  collection: Collection,
  texts: TermIntersection['texts'],
  order: TermIntersection['order'],
): Promise<string[]> {
  const all = await collection.find(range('by_open', { equals: [true], order, limit: 1_000 }));
  const holds = (set: readonly string[], tags: readonly string[]) => set.some(text => tags.includes(text));
  return all.filter(({ body }) => texts.every(set => holds(set, body['tags'] as string[]))).map(({ id }) => id);
}

async function walked(collection: Collection, meeting: TermIntersection): Promise<string[]> {
  const ids: string[] = [];
  for (let after: readonly Scalar[] | undefined; ;) {
    const { documents, end } = await collection.intersect({ ...meeting, ...(after && { after }) });
    expect(documents.length).toBeLessThanOrEqual(meeting.limit);
    ids.push(...documents.map(({ id }) => id));
    if (end === null) return ids;
    after = end;
  }
}
