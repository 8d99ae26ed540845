import { describe, expect, test } from '@jest/globals';
import { holdsAll, parseQueryWords } from '#libs/features/finding/word-search.js';
import { guessLanguage } from '#libs/kernel/languages.js';
import { extractIndexTerms, extractNameTerms, listTypoTerms, toTagTerm } from '#libs/kernel/search-terms.js';
import { splitWords } from '#libs/kernel/words.js';

describe('the words of a text', () => {
  test.each([
    ['Translates pages, PAGES & more.', ['translates', 'pages', 'more']],
    ['don’t; e-mail:a@b.example', ['don', 't', 'e', 'mail', 'a', 'b', 'example']],
    ['Größe STRASSE straße', ['grösse', 'strasse']],
    ['café cafe\u0301 Ｗｉｄｅ ①', ['café', 'wide', '1']],
    ['Привет, ПРИВЕТ', ['привет']],
    ['翻訳 en 日本語', ['翻訳', 'en', '日本語']],
    ['ภาษาไทย: ก่อน', ['ภาษาไทย', 'กอน']],
    ['trans\u00adlate', ['translate']],
    ['a\nb\tc\u0000d', ['a', 'b', 'c', 'd']],
    ['agent_1a2b3c4d5e by data_science', ['agent_1a2b3c4d5e', 'by', 'data_science']],
    ['!!! … 🚀 _', []],
  ])('are found in %s', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  test('are cut to 40 characters in documents and queries', () => {
    expect(extractNameTerms('x'.repeat(1_000))).toEqual(['x'.repeat(40)]);
    expect(extractNameTerms('ж'.repeat(50))).toEqual(['ж'.repeat(40)]);
  });

  test('include ids and the parts of words with underscores', () => {
    expect(extractIndexTerms('data_science of agent_1a2b3c4d5e')).toEqual([
      'data_science',
      'of',
      'agent_1a2b3c4d5e',
      'data',
      'scienc',
    ]);
  });

  test('index a name by its whole words without marks', () => {
    expect(extractNameTerms('Größe translators')).toEqual(['grosse', 'translators']);
  });

  test('index a run of characters without spaces by pairs and by its last character', () => {
    expect(extractIndexTerms('翻訳する')).toEqual(['翻訳', '訳す', 'する', 'る']);
    expect(extractNameTerms('猫')).toEqual(['猫']);
    expect(extractIndexTerms('字'.repeat(600))).toEqual(['字字', '字']);
  });
});

test.each([
  ['Translate a page', 'en'],
  ['Résumé review needed by a recruiter', 'en'],
  ['JSON API', 'en'],
  ['123', 'en'],
  ['Rechnungen prüfen', 'de'],
  ['Tippe die Zahlen der Rechnungen ab', 'de'],
  ['Vérifier des factures', 'fr'],
  ['Traducir un contrato al inglés', 'es'],
  ['Tradurre un contratto in inglese', 'it'],
  ['Traduza um contrato para inglês', 'pt'],
  ['Vertaal een contract naar het Engels', 'nl'],
  ['Översätt ett kontrakt till engelska', 'sv'],
  ['Перевести договор на английский', 'ru'],
  ['Перекласти договір', 'uk'],
  ['将合同翻译成英文 API docs', 'zh'],
  ['契約書を英語に翻訳する', 'ja'],
  ['계약서를 번역', 'ko'],
  ['แปลสัญญา', 'th'],
])('the language of "%s" is guessed as %s', (text, language) => {
  expect(guessLanguage(text)).toBe(language);
});

describe('a word finds its other forms', () => {
  test.each([
    ['translate', 'Two translators wanted for a translation'],
    ['translators', 'Translate a page of the docs'],
    ['invoices', 'Check an invoice'],
    ['transcribe', 'Transcribing and transcription of an interview'],
    ['descriptions', 'Describe what you see'],
    ['Rechnung', 'Rechnungen prüfen und in eine Tabelle schreiben'],
    ['übersetzung', 'Übersetzungen aus dem Französischen'],
    ['ubersetzung', 'Übersetzungen aus dem Französischen'],
    ['facture', 'Vérifier les factures du client'],
    ['facturée', 'Facturer une heure de travail avec les détails'],
    ['facturee', 'Une heure facturée'],
    ['traducción', 'Revisar las traducciones de un contrato'],
    ['contratto', 'Tradurre i contratti del cliente in inglese'],
    ['contratos', 'Traduza um contrato para o inglês'],
    ['vertaling', 'Maak twee vertalingen van het contract'],
    ['faktura', 'Kontrollera fakturor och skriv en lista till kunden'],
    ['переводчики', 'Нужен переводчик договора'],
    ['перевод', 'Два перевода на английский'],
    ['翻訳', '契約書を英語に翻訳する'],
  ])('%s in "%s"', (word, text) => {
    expect(holdsAll(extractIndexTerms(text), parseQueryWords(word))).toBe(true);
  });

  test.each([
    ['note', 'It is not in the list'],
    ['one', 'Click on it'],
    ['care', 'Wash the car'],
  ])('but %s does not find "%s" by the stem of another language', (word, text) => {
    expect(holdsAll(extractIndexTerms(text), parseQueryWords(word))).toBe(false);
  });
});

test('a search query consists of words, pairs of characters and tags', () => {
  const texts = (query: string) => parseQueryWords(query).map(({ text, terms }) => text ?? terms[0]);
  expect(texts('Fine #French pages #Data_Science fine')).toEqual(['fine', '#french', 'pages', '#data_science']);
  expect(texts('契約書')).toEqual(['契約', '約書']);
  expect(parseQueryWords('字')).toEqual([{ terms: [], text: '字' }]);
  expect(parseQueryWords('#')).toEqual([]);
  expect(parseQueryWords('a b c d e f g h i j k')).toHaveLength(10);
  expect(toTagTerm('Größe')).toBe('#grosse');
});

test('a mistyped word has the terms of all words with one other letter', () => {
  const typos = (word: string) =>
    [...listTypoTerms(parseQueryWords(word)[0]!)].flatMap(([stem, ends]) => ends.map(end => stem + end));
  for (const word of ['trnaslate', 'trnslate', 'transllate', 'tranzlate', 'translte'])
    expect(typos(word)).toContain('translat');
  expect(typos('trranzlate')).not.toContain('translat');
  expect(typos('Rechnugnen')).toContain('rechnung.de');
  expect(typos('превод')).toContain('перевод');
  expect(typos('abc')).toEqual([]);
  expect(typos('x'.repeat(17))).toEqual([]);
  expect(typos('翻訳')).toEqual([]);
  expect(typos('v1.0beta')).toEqual([]);
});
