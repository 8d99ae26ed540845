import { expect, test } from '@jest/globals';
import {
  compareDescending,
  type OrderKey,
  SCANNED_AT_ONCE,
  scannedPage,
  sortedPage,
} from '#libs/features/finding/key-order.js';
import { decodeCursor } from '#libs/http/paging.js';

const ITEMS = Array.from({ length: 1_300 }, (_, at) => ({ id: `i${at}`, pay: at % 7 === 0 ? null : at % 100 }));
type Item = (typeof ITEMS)[number];
const keyOf = ({ pay, id }: Item): OrderKey => [pay, id];
const ORDERED = ITEMS.toSorted((one, other) => compareDescending(keyOf(one), keyOf(other)));
const isKept = ({ id }: Item) => id.endsWith('3');

const read = async (after: OrderKey | undefined) =>
  ORDERED.filter(item => !after || compareDescending(after, keyOf(item)) < 0).slice(0, SCANNED_AT_ONCE);
const scan = { read, keep: async (items: Item[]) => items.filter(isKept) };

async function allPages(page: (start: OrderKey | undefined) => Promise<{ items: Item[]; next: string | null }>) {
  const items: Item[] = [];
  for (let start: OrderKey | undefined; ;) {
    const { items: more, next } = await page(start);
    items.push(...more);
    if (next === null) return items;
    start = decodeCursor(next, 'after', 2);
  }
}

test('pages of sorted and of scanned items hold each item once, in the same order', async () => {
  const expected = ORDERED.filter(isKept);
  expect(expected.findIndex(({ pay }) => pay === null)).toBeGreaterThan(0);
  for (const limit of [1, 7, 500]) {
    expect(await allPages(async start => sortedPage(ITEMS.filter(isKept), { keyOf, limit, start }))).toEqual(expected);
    expect(await allPages(start => scannedPage(scan, { keyOf, limit, start }))).toEqual(expected);
  }
});
