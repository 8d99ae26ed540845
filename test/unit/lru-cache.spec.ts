import { expect, test } from '@jest/globals';
import { createLruCache } from '#libs/kernel/lru-cache.js';

test('a bounded map evicts the least recently used entry', () => {
  const kept = createLruCache<string, number>(3);
  for (const [at, name] of ['a', 'b', 'c'].entries()) kept.set(name, at);
  expect(kept.get('a')).toBe(0);
  kept.set('c', 20).set('d', 3);
  expect([...kept.keys()].sort()).toEqual(['a', 'c', 'd']);
  expect(kept.get('c')).toBe(20);
});
