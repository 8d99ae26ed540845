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

describe('names with the same folded form', () => {
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
  ])('%j equals %j', (one, other) => {
    expect(foldName(one)).toBe(foldName(other));
    expect(looksLike(one, other)).toBe(true);
  });

  test('are unchanged by a second folding', () => {
    for (const name of ['ΟΔΟΣ', 'Straße', 'ﬁne', 'ǅ', 'İz', 'Å', 'ẞ'])
      expect(foldName(foldName(name))).toBe(foldName(name));
  });

  test('do not include different names', () => {
    expect(foldName('Ada')).not.toBe(foldName('Adb'));
  });
});

describe('similar names', () => {
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
  ])('%s looks like %s', (one, other) => {
    expect(looksLike(one, other)).toBe(true);
  });

  test.each([
    ['Ali', 'All'],
    ['Наташа', 'Natasha'],
    ['Ada', 'Ada L'],
    ['Nova', 'νοvα'],
    ['Agent 1', 'Agent 2'],
  ])('%s does not look like %s', (one, other) => {
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
    'msg_',
    '12345678901',
    'Olololololol',
  ])('can use a single script with common characters: %s', name => expect(isValidName(name)).toBe(true));

  test.each([
    ['Cyrillic in Latin', 'The Hоuse'],
    ['Greek in Latin', 'Αda'],
    ['Latin after Greek', 'Ωmega'],
    ['Latin after Cyrillic', 'Наташа Bot'],
    ['kana and Hangul', 'ボ도'],
    ['Bopomofo and kana', 'ㄅボ'],
    ['digits of another script', 'Ada ١٢'],
    ['a mathematical letter in Cyrillic', 'На𝐭аша'],
    ['a zero-width space', 'A\u200bda'],
    ['a zero-width joiner', 'A\u200dda'],
    ['a byte order mark', '\ufeffAda'],
    ['a soft hyphen', 'A\u00adda'],
    ['a direction override', 'A\u202eda'],
    ['a variation selector', 'A\ufe0fda'],
    ['a tag character', 'Ada\u{e0041}'],
    ['a filler', 'Ada\u3164'],
    ['only fillers', '\u3164\u3164'],
    ['only blank braille', '\u2800\u2800'],
    ['only combining marks', '\u0301\u0301'],
    ['a combining mark at the start', '\u0301da'],
    ['only punctuation', '..'],
    ['only underscores', '__'],
    ['a control character', 'A\u0085da'],
    ['a line separator', 'A\u2028da'],
    ['a private use character', 'A\ue000'],
    ['an unassigned character', 'A\u0378'],
    ['an unpaired surrogate', 'A\ud800'],
    ['the id of an agent', 'agent_0123456789'],
    ['the id of a webhook message', `msg_${'0123456789abcdef'.repeat(2)}`],
    ['the beginning of such an id', 'msg_1a2b3c4d'],
    ['the beginning of such an id in capitals', 'MSG_123456789012'],
    ['the slug of a job', 'job-304311114729'],
    ['the slug of a job in capitals', 'JOB-3o43'],
    ['the slug of a task', 'instant-1'],
    ['the id of an A2A task', 'offer-12'],
    ['the id of a post', '304311114729'],
    ['the id of a feed item', '304311114729123'],
    ['the id of a muse', 'MUSE_abcd'],
    ['a look-alike of a muse id', 'rnuse_abcd'],
    ['a full-width id', 'ａｇｅｎｔ_0123456789'],
    ...['\u2713', '\u2714', '\u2611', '\u2705', '\u{1f5f8}', '\u{1f5f9}', '\u221a', '\u{10102}', '\u{1fbb1}'].map(
      mark => ['a check mark', `Linus ${mark}`],
    ),
    ...['Linus レ', 'Linus_ﾚ', '東京 ㋹', 'Linus ㇾ'].map(name => ['a letter that looks like a check mark', name]),
    ['one character', 'A'],
    ['too many characters', 'a'.repeat(NAME_CHARACTERS_MAX + 1)],
  ])('is refused with %s: %j', (_what, name) => expect(isValidName(name)).toBe(false));

  test('a name is trimmed of all kinds of spaces', () => {
    for (const space of ' \t\u00a0\u1680\u2003\u202f\u205f\u3000')
      expect(normaliseName(`${space}A${space}${space}b${space}`)).toBe('A b');
  });

  test('a name gets a suffix of characters that its script allows', () => {
    expect(appendNameSuffix('Zoë', 'seed')).toMatch(/^Zoë [a-z0-9]{4}$/);
    expect(appendNameSuffix('Наташа', 'seed')).toMatch(/^Наташа [0-9]{4}$/);
    for (const name of ['Zoë', 'Наташа', '東京', 'x'.repeat(40), 'Я'.repeat(40)])
      for (const seed of [1, 2, 3]) expect(isValidName(appendNameSuffix(name, seed))).toBe(true);
  });
});

test('the character table has one complete version of Unicode', () => {
  const kinds = Array.from('aé١ـ́²🚀 -', character => findCharacterProperties(character.codePointAt(0)!)?.kind);
  expect(kinds).toEqual(['letter', 'letter', 'number', 'letter', 'mark', 'number', 'symbol', 'else', 'else']);
  // The last letters added in Unicode 17, an unassigned code point and the last code point.
  expect([0x1_6ea0, 0x3_3479, 0x3_347a, 0x10_ffff].map(each => findCharacterProperties(each)?.kind)).toEqual([
    'letter',
    'letter',
    undefined,
    undefined,
  ]);
});
