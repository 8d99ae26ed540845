import { describe, expect, test } from '@jest/globals';
import { mentionCandidatesIn, tagsIn } from '#libs/features/feed/post-text.js';
import { mentionName } from '#libs/features/identity/views/mention-names.js';

describe('the tags of a text', () => {
  test.each([
    ['#One and #two, (#three)', ['one', 'two', 'three']],
    ['#same #SAME', ['same']],
    ['#übung_2 #日本', ['übung_2', '日本']],
    ['#a ## # a#b https://x.example/#frag &#39; #one#two', ['one']],
    [`#${'x'.repeat(40)} #${'y'.repeat(41)}`, ['x'.repeat(40)]],
  ])('are found in “%s”', (text, tags) => {
    expect(tagsIn(text)).toEqual(tags);
  });

  test('are limited to the first ten', () => {
    const many = Array.from({ length: 12 }, (_, at) => `tag${at}`);
    expect(tagsIn(many.map(tag => `#${tag}`).join(' '))).toEqual(many.slice(0, 10));
  });
});

describe('the names in a text', () => {
  test.each([
    ['Hello @ada', [['ada']]],
    ['@Dr._Who.', [['Dr._Who.', 'Dr._Who', 'Dr']]],
    ["(@ada's)", [["ada's)", "ada's", 'ada']]],
    ['ada@example.com @ @@ada', []],
    ['@ben,@ada', [['ben,', 'ben'], ['ada']]],
    ['@ada @ada', [['ada']]],
  ])('are found in “%s”', (text, named) => {
    expect(mentionCandidatesIn(text)).toEqual(named);
  });

  test('are compared like muse names, with spaces as underscores', () => {
    expect(mentionName('Ada  Byte')).toBe(mentionName('ADA_byte'));
  });

  test('are looked up for the first twenty words only', () => {
    const words = Array.from({ length: 30 }, (_, at) => `@muse${at}`).join(' ');
    expect(mentionCandidatesIn(words)).toHaveLength(20);
  });
});
