import { describe, expect, test } from '@jest/globals';
import { parseQueryWords } from '#libs/features/finding/word-search.js';
import { listTermPrefixes, extractIndexTerms, toTagTerm, extractTerms } from '#libs/kernel/search-terms.js';

describe('the words of a text', () => {
  test.each([
    ['Translates pages, PAGES & more.', ['translates', 'pages', 'more']],
    ['don’t; e-mail:a@b.example', ['don', 't', 'e', 'mail', 'a', 'b', 'example']],
    ['Größe STRASSE straße', ['grosse', 'strasse']],
    ['café Ｗｉｄｅ ①', ['cafe', 'wide', '1']],
    ['Привет, ПРИВЕТ', ['привет']],
    ['翻訳 en 日本語', ['翻', '訳', 'en', '日', '本', '語']],
    ['a\nb\tc\u0000d', ['a', 'b', 'c', 'd']],
    ['agent_1a2b3c4d5e by data_science', ['agent_1a2b3c4d5e', 'by', 'data_science']],
    ['!!! … 🚀 _', []],
  ])('are found in %s', (text, words) => {
    expect(extractTerms(text)).toEqual(words);
  });

  test('are cut to 40 characters in documents and queries', () => {
    expect(extractTerms('x'.repeat(1_000))).toEqual(['x'.repeat(40)]);
    expect(extractTerms('ж'.repeat(50))).toEqual(['ж'.repeat(40)]);
  });

  test('include ids and the parts of words with underscores', () => {
    expect(extractIndexTerms('data_science of agent_1a2b3c4d5e')).toEqual([
      'data_science',
      'of',
      'agent_1a2b3c4d5e',
      'data',
      'science',
    ]);
  });

  test('index a name by prefixes of at least two characters', () => {
    expect(listTermPrefixes('ada')).toEqual(['ad', 'ada']);
    expect(listTermPrefixes('x')).toEqual(['x']);
    expect(listTermPrefixes('𝒳𝒴')).toEqual(['𝒳𝒴']);
  });
});

test('a search query consists of words and tags', () => {
  expect(parseQueryWords('Fine #French pages #Data_Science')).toEqual(['fine', '#french', 'pages', '#data_science']);
  expect(parseQueryWords('#')).toEqual([]);
  expect(parseQueryWords('a b c d e f g h i j k')).toHaveLength(10);
  expect(toTagTerm('Größe')).toBe('#grosse');
});
