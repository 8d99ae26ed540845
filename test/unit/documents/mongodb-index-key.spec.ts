import { expect, test } from '@jest/globals';
import { indexKey, keyOf } from '#libs/documents/mongodb.index-key.js';

const bytes = (text: string) => Buffer.from(text).toString('hex');
const sorted = (texts: string[]) => [...texts].sort((a, b) => (bytes(a) < bytes(b) ? -1 : 1));

test('keys sort like values: null, then numbers and booleans, then texts', () => {
  const numbers = [-Number.MAX_VALUE, -2, -1.5, -Number.MIN_VALUE, false, 0.1, true, 1.5, 2, 2 ** 53 - 1];
  const texts = ['', '\0', '\0a', '\u0001', '\u0002', '\u0003', ' ', '10', '9', 'a', 'a\0', 'a\u0001', 'ab', 'ä', '😀'];
  const keys = [null, ...numbers, ...texts].map(value => keyOf([value]));
  expect(sorted(keys)).toEqual(keys);
  expect(new Set(keys).size).toBe(keys.length);
});

test('undefined equals null, -0 equals 0, and true equals 1', () => {
  expect(keyOf([undefined])).toBe(keyOf([null]));
  expect(keyOf([-0])).toBe(keyOf([0]));
  expect(keyOf([true])).toBe(keyOf([1]));
});

test('a key starts with the key of its leading values only', () => {
  const key = indexKey(['city', 'open'], 'r1', { city: 'Rome', open: true });
  expect(key.startsWith(keyOf(['Rome', true]))).toBe(true);
  expect(key.startsWith(keyOf(['Rom']))).toBe(false);
  expect(key.startsWith(keyOf(['Rome', false]))).toBe(false);
  expect(indexKey(['city', 'open'], 'r1', { city: 'R', open: true }) < key).toBe(true);
});

test('the id orders keys of equal values', () => {
  const keys = ['', 'a', 'aa', 'b'].map(id => indexKey(['city'], id, { city: 'Rome' }));
  expect(sorted(keys)).toEqual(keys);
});
