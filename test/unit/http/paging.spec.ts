import { describe, expect, test } from '@jest/globals';
import { accepts } from '#libs/values/value.js';
import { waitMs } from '#libs/validation/long-poll.js';
import type { Collection, IndexRange, Scalar } from '#libs/documents/document-store.port.js';
import { limit, LIMIT_DEFAULT, LIMIT_MAX, fetchPage } from '#libs/http/paging.js';
import type { StoredDocument } from '#libs/kernel/projection.js';

type Doc = { readonly opened: number; readonly kind: string };

function collectionOf(documents: StoredDocument<Doc>[]) {
  const finds: IndexRange[] = [];
  const find = async (range: IndexRange) => {
    finds.push(range);
    const sorted = [...documents].sort((a, b) => compare([a.body.opened, a.id], [b.body.opened, b.id]));
    if (range.order === 'desc') sorted.reverse();
    const behind = (each: StoredDocument<Doc>) => {
      const way = compare([each.body.opened, each.id], range.after!);
      return range.order === 'asc' ? way > 0 : way < 0;
    };
    return sorted.filter(each => !range.after || behind(each)).slice(0, range.limit);
  };
  return { collection: { find } as unknown as Collection<Doc>, finds };
}

function compare([a, b]: readonly Scalar[], [x, y]: readonly Scalar[]): number {
  if (a !== x) return a! < x! ? -1 : 1;
  return b === y ? 0 : b! < y! ? -1 : 1;
}

const documents = (count: number, from = 0): StoredDocument<Doc>[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `d${String(from + n).padStart(5, '0')}`,
    position: '1',
    body: { opened: Math.floor((from + n) / 2), kind: (from + n) % 10 === 0 ? 'rare' : 'common' },
  }));

interface Asked {
  readonly limit?: number;
  readonly after?: string | null;
  readonly order?: 'asc' | 'desc';
  readonly keep?: (document: Doc) => boolean;
}

const ask = (collection: Collection<Doc>, { limit = 3, after = null, order = 'asc', keep }: Asked = {}) =>
  fetchPage(collection, {
    range: { index: 'all', equals: [], order, limit },
    fields: ['opened'],
    cursor: ['after', after ?? undefined],
    ...(keep && { keep }),
  });

async function walk(collection: Collection<Doc>, query: Asked = {}, between = () => undefined as unknown) {
  const pages: string[][] = [];
  let after: string | null = null;
  do {
    const { documents, next } = await ask(collection, { ...query, after });
    pages.push(documents.map(({ id }) => id));
    after = next;
    between();
  } while (after !== null && pages.length < 1_000);
  return pages;
}

describe('a list', () => {
  test.each(['asc', 'desc'] as const)('is paged without gaps and duplicates (%s)', async order => {
    const all = documents(10);
    const { collection } = collectionOf(all);
    const ids = (await walk(collection, { order })).flat();
    expect(order === 'asc' ? ids : ids.reverse()).toEqual(all.map(({ id }) => id));
  });

  test('ends with a null cursor on its last page', async () => {
    for (const count of [0, 1, 2, 3, 4, 6, 7]) {
      const { collection } = collectionOf(documents(count));
      expect((await walk(collection)).length).toBe(Math.max(1, Math.ceil(count / 3)));
    }
  });

  test('continues at its cursor while new documents arrive at its start', async () => {
    const all = documents(10, 100);
    const { collection } = collectionOf(all);
    let arrived = 0;
    const ids = await walk(collection, { order: 'desc' }, () => all.push(...documents(1, 200 + (arrived += 1))));
    expect(ids.flat()).toEqual(
      documents(10, 100)
        .map(({ id }) => id)
        .reverse(),
    );
  });

  test('fills its pages when it is filtered', async () => {
    const { collection } = collectionOf(documents(95));
    const pages = await walk(collection, { keep: ({ kind }) => kind === 'rare' });
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 3, 1]);
  });

  test('bounds the scan of a page without matches and returns a cursor', async () => {
    const { collection, finds } = collectionOf(documents(2_000));
    const { documents: kept, next } = await ask(collection, { limit: 50, keep: () => false });
    expect([kept, typeof next]).toEqual([[], 'string']);
    expect(finds.reduce((sum, { limit }) => sum + limit, 0)).toBeLessThan(600);
    expect((await walk(collection, { limit: 50, keep: ({ opened }) => opened >= 999 })).flat()).toEqual([
      'd01998',
      'd01999',
    ]);
  });
});

describe('a cursor', () => {
  const code = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test.each([
    'x',
    '!!!',
    code('text'),
    code([]),
    code([1]),
    code([1, 2]),
    code([1, 'a', 'b']),
    code([{}, 'a']),
    code({ length: 2 }),
  ])('is rejected by its parameter name when it is invalid (%s)', async after => {
    const { collection } = collectionOf(documents(1));
    await expect(ask(collection, { after })).rejects.toMatchObject({ code: 'after', details: { field: 'after' } });
  });
});

describe('the limit of a page', () => {
  test('is capped at its maximum and defaults to 20', () => {
    expect(limit().schema).toMatchObject({ default: LIMIT_DEFAULT });
    expect(LIMIT_DEFAULT).toBe(20);
    expect(['1', '7', '51'].map(text => limit().parse(text))).toEqual([1, 7, LIMIT_MAX]);
    const large = ['999999999', '2147483648', '9223372036854775807'];
    expect(large.map(text => limit(1_000).parse(text))).toEqual([1_000, 1_000, 1_000]);
    expect(['1', '50', ...large].map(text => accepts(limit(), text))).toEqual([true, true, true, true, true]);
    expect([accepts(waitMs, large[2]!), waitMs.parse(large[2]!)]).toEqual([true, 25_000]);
  });

  test.each(['0', '-1', '1.5', 'ten', '1e3', '00', '9'.repeat(21)])('rejects %s', text => {
    expect(accepts(limit(), text)).toBe(false);
  });
});
