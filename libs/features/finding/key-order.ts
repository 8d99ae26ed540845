import type { Scalar } from '#libs/documents/document-store.port.js';
import { encodeCursor } from '#libs/http/paging.js';

/** Place of an item in a list. Values are descending, null last. */
export type OrderKey = readonly Scalar[];

/** Up to this many matches are sorted; more are found by scanning the ordered index. */
export const SORTED_MAX = 500;
/** Bounds the scan of one page. */
const SCANNED_MAX = 500;
export const SCANNED_AT_ONCE = 100;

/** Descending, null last. */
export function compareDescending(a: OrderKey, b: OrderKey): number {
  for (const [at, value] of a.entries()) {
    const other = b[at]!;
    if (value === other) continue;
    if (value === null) return 1;
    if (other === null) return -1;
    return value > other ? -1 : 1;
  }
  return 0;
}

interface PageRequest<T> {
  readonly keyOf: (item: T) => OrderKey;
  readonly limit: number;
  /** Key of the last item before the page. */
  readonly start: OrderKey | undefined;
}

interface OrderedPage<T> {
  readonly items: T[];
  readonly next: string | null;
}

/** Returns a page of items that are all in memory. */
export function sortedPage<T>(items: readonly T[], { keyOf, limit, start }: PageRequest<T>): OrderedPage<T> {
  const rest = items
    .filter(item => start === undefined || compareDescending(start, keyOf(item)) < 0)
    .sort((one, other) => compareDescending(keyOf(one), keyOf(other)));
  const page = rest.slice(0, limit);
  return { items: page, next: rest.length > limit ? encodeCursor(keyOf(page.at(-1)!)) : null };
}

interface Scan<T> {
  /** Returns the next `SCANNED_AT_ONCE` items after a key, in order; fewer at the end. */
  readonly read: (after: OrderKey | undefined) => Promise<T[]>;
  readonly keep: (items: T[]) => Promise<readonly T[]>;
}

/** Returns the items of an ordered index that `keep` returns. A page may be short: a scan is bounded. */
export async function scannedPage<T>(
  { read, keep }: Scan<T>,
  { keyOf, limit, start }: PageRequest<T>,
): Promise<OrderedPage<T>> {
  let last = start;
  const items: T[] = [];
  for (let scanned = 0; scanned < SCANNED_MAX; scanned += SCANNED_AT_ONCE) {
    const batch = await read(last);
    const kept = new Set(await keep(batch));
    for (const item of batch) {
      if (items.length === limit) return { items, next: encodeCursor(last!) };
      last = keyOf(item);
      if (kept.has(item)) items.push(item);
    }
    if (batch.length < SCANNED_AT_ONCE) return { items, next: null };
  }
  return { items, next: encodeCursor(last!) };
}
