import { describe, expect, test } from '@jest/globals';
import { foldName } from '#libs/kernel/names.js';

describe('names that look alike are one name', () => {
  test.each([
    ['ADA', 'ada'],
    ['Straße', 'STRASSE'],
    ['Ｗｉｄｅ', 'wide'],
    ['Zoë', 'Zoe'],
    ['Z\u0308oe', 'zoe'],
    ['ﬁne', 'FINE'],
    ['İz', 'iz'],
    ['ΟΔΟΣ', 'οδος'],
    [' Ada   L ', 'ada l'],
    ['A\u200bda', 'ada'],
    ['Ad\u2060a\ufeff', 'ada'],
  ])('%j and %j', (one, other) => {
    expect(foldName(one)).toBe(foldName(other));
  });

  test('folding a folded name changes nothing', () => {
    for (const name of ['ΟΔΟΣ', 'Straße', 'ﬁne', 'ǅ', 'İz', 'Å', 'ẞ'])
      expect(foldName(foldName(name))).toBe(foldName(name));
  });

  test('different names stay different', () => {
    expect(foldName('Ada')).not.toBe(foldName('Adb'));
  });
});
