import { LRUCache } from 'lru-cache';

const countAsOne = () => 1;

/**
 * At most so many of something, of which the least recently used go first. It grows with what it holds: with `max` alone
 * lru-cache sets aside at once what all of them would take.
 */
export const createLruCache = <K extends NonNullable<unknown>, V extends NonNullable<unknown>>(
  max: number,
): LRUCache<K, V> => new LRUCache<K, V>({ maxSize: max, sizeCalculation: countAsOne });
