import { LRUCache } from 'lru-cache';

const countAsOne = () => 1;

/** Uses `maxSize` because with `max` lru-cache allocates the full size at once. */
export const createLruCache = <K extends NonNullable<unknown>, V extends NonNullable<unknown>>(
  max: number,
  ttl = 0,
): LRUCache<K, V> => new LRUCache<K, V>({ maxSize: max, sizeCalculation: countAsOne, ttl });
