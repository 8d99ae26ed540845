import { describe, expect, test } from '@jest/globals';
import { findCharacterProperties } from '#libs/kernel/characters.js';
import {
  foldName,
  isValidName,
  computeNameSkeletons,
  NAME_CHARACTERS_MAX,
  normaliseName,
  appendNameSuffix,
} from '#libs/kernel/name-rules.js';

const looksLike = (one: string, other: string) =>
  computeNameSkeletons(one).some(each => computeNameSkeletons(other).includes(each));

describe('names of one fold are one name', () => {
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
    ['Ada\u3164', 'ada'],
  ])('%j and %j', (one, other) => {
    expect(foldName(one)).toBe(foldName(other));
    expect(looksLike(one, other)).toBe(true);
  });

  test('folding a folded name changes nothing', () => {
    for (const name of ['ΟΔΟΣ', 'Straße', 'ﬁne', 'ǅ', 'İz', 'Å', 'ẞ'])
      expect(foldName(foldName(name))).toBe(foldName(name));
  });

  test('different names stay different', () => {
    expect(foldName('Ada')).not.toBe(foldName('Adb'));
  });
});

describe('names look alike', () => {
  test.each([
    ['Paypal', 'PaypaI'],
    ['Paypal', 'paypa1'],
    ['PAYPAI', 'paypai'],
    ['Coco', 'Сосо'],
    ['Bob', 'ВоЬ'],
    ['bob', 'ВОВ'],
    ['modern', 'modem'],
    ['Agent O', 'Agent 0'],
    ['Moller', 'Møller'],
    ['Rot', 'Rоt'],
    ['The House', '𝐓𝐡𝐞 𝐇𝐨𝐮𝐬𝐞'],
    ['Ada', '🅰🅳🅰'],
    ['Ada', '🅐🅓🅐'],
    ['Ada', '🇦🇩🇦'],
    ['Soup', 'So🆙'],
  ])('%s and %s', (one, other) => {
    expect(looksLike(one, other)).toBe(true);
  });

  test.each([
    ['Ali', 'All'],
    ['Наташа', 'Natasha'],
    ['Ada', 'Ada L'],
    ['Nova', 'νοvα'],
    ['Agent 1', 'Agent 2'],
  ])('and others do not: %s and %s', (one, other) => {
    expect(looksLike(one, other)).toBe(false);
  });
});

describe('a name', () => {
  test.each([
    'Zoë',
    'Zoe\u0308',
    'Наташа',
    'Привет-2',
    'Магазин №1',
    'Αθηνά',
    'Nguyễn Văn',
    'עברית',
    'مرحبا 12',
    'नमस्ते',
    'สวัสดี',
    '東京',
    '東京 Bot 2',
    'ひらがなカタカナ漢字 A',
    'アイレ',
    'レ ミ',
    'Ada 🇯🇵',
    'ㄅㄆㄇ漢字 A',
    '도우미 漢字 A',
    'O’Brien & Co.',
    'C++ 17',
    'Ada 🚀',
    '😀😀',
    'Agent 3kf9',
    'Agent Translator',
    'Muse of history',
    'job-seeker Ann',
    'offer-free',
    'Agent_x',
    'muse_',
    '12345678901',
    'Olololololol',
  ])('may be of one script, with what stands in all of them: %s', name => expect(isValidName(name)).toBe(true));

  test.each([
    ['Cyrillic in Latin', 'The Hоuse'],
    ['Greek in Latin', 'Αda'],
    ['Latin behind Greek', 'Ωmega'],
    ['Latin behind Cyrillic', 'Наташа Bot'],
    ['Kana beside Hangul', 'ボ도'],
    ['Bopomofo beside Kana', 'ㄅボ'],
    ['digits of another script', 'Ada ١٢'],
    ['a letter of mathematics in Cyrillic', 'На𝐭аша'],
    ['a zero-width space', 'A\u200bda'],
    ['a zero-width joiner', 'A\u200dda'],
    ['a zero-width mark of the order of bytes', '\ufeffAda'],
    ['a soft hyphen', 'A\u00adda'],
    ['a turn of the direction', 'A\u202eda'],
    ['a variation selector', 'A\ufe0fda'],
    ['a tag', 'Ada\u{e0041}'],
    ['a filler', 'Ada\u3164'],
    ['nothing but fillers', '\u3164\u3164'],
    ['nothing but blank braille', '\u2800\u2800'],
    ['nothing but marks', '\u0301\u0301'],
    ['a mark with nothing below', '\u0301da'],
    ['nothing but strokes', '..'],
    ['nothing but a line', '__'],
    ['a control', 'A\u0085da'],
    ['a line', 'A\u2028da'],
    ['private use', 'A\ue000'],
    ['what is assigned nowhere', 'A\u0378'],
    ['half of a pair', 'A\ud800'],
    ['the id of an agent', 'agent_0123456789'],
    ['the id of a webhook message', `msg_${'0123456789abcdef'.repeat(2)}`],
    ['the slug of a job', 'job-304311114729'],
    ['the slug of a job in other cases', 'JOB-3o43'],
    ['the slug of a task', 'instant-1'],
    ['the id of a task of A2A', 'offer-12'],
    ['the id of a post', '304311114729'],
    ['the id of a feed item', '304311114729123'],
    ['the id of a muse', 'MUSE_abcd'],
    ['what looks like the id of a muse', 'rnuse_abcd'],
    ['a wide id', 'ａｇｅｎｔ_0123456789'],
    ...['\u2713', '\u2714', '\u2611', '\u2705', '\u{1f5f8}', '\u{1f5f9}', '\u221a', '\u{10102}', '\u{1fbb1}'].map(
      mark => ['a check mark', `Linus ${mark}`],
    ),
    ...['Linus レ', 'Linus_ﾚ', '東京 ㋹', 'Linus ㇾ'].map(name => ['a letter that is drawn like a check mark', name]),
    ['one character', 'A'],
    ['too many', 'a'.repeat(NAME_CHARACTERS_MAX + 1)],
  ])('is refused with %s: %j', (_what, name) => expect(isValidName(name)).toBe(false));

  test('is tidied of every kind of space', () => {
    for (const space of ' \t\u00a0\u1680\u2003\u202f\u205f\u3000')
      expect(normaliseName(`${space}A${space}${space}b${space}`)).toBe('A b');
  });

  test('is told apart by characters that may stand beside its own', () => {
    expect(appendNameSuffix('Zoë', 'seed')).toMatch(/^Zoë [a-z0-9]{4}$/);
    expect(appendNameSuffix('Наташа', 'seed')).toMatch(/^Наташа [0-9]{4}$/);
    for (const name of ['Zoë', 'Наташа', '東京', 'x'.repeat(40), 'Я'.repeat(40)])
      for (const seed of [1, 2, 3]) expect(isValidName(appendNameSuffix(name, seed))).toBe(true);
  });
});

test('what a character is does not depend on the machine: the table knows one version of Unicode, whole', () => {
  const kinds = Array.from('aé١ـ́²🚀 -', character => findCharacterProperties(character.codePointAt(0)!)?.kind);
  expect(kinds).toEqual(['letter', 'letter', 'number', 'letter', 'mark', 'number', 'symbol', 'else', 'else']);
  // The last letters that came with 17.0, one that is not assigned, and the last code point there is.
  expect([0x1_6ea0, 0x3_3479, 0x3_347a, 0x10_ffff].map(each => findCharacterProperties(each)?.kind)).toEqual([
    'letter',
    'letter',
    undefined,
    undefined,
  ]);
});
