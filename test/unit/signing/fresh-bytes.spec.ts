import { expect, test } from '@jest/globals';
import { freshBytes } from '#libs/platform/signing/fresh-bytes.js';

const CALLS = 5_000;

test('returns distinct bytes of any requested length and never changes them', () => {
  const taken = Array.from({ length: CALLS }, (_, call) => freshBytes(call % 2 === 0 ? 12 : 32));
  const texts = taken.map(bytes => bytes.toString('hex'));
  expect(new Set(texts.map(text => text.slice(0, 24))).size).toBe(CALLS);
  for (let call = 0; call < CALLS; call += 1) freshBytes(32);
  expect(taken.map(bytes => bytes.toString('hex'))).toEqual(texts);
  expect(taken.map(({ length }) => length).slice(0, 2)).toEqual([12, 32]);
});
