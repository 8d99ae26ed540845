import { describe, expect, test } from '@jest/globals';
import { type RequestValue, namesValue } from '#libs/values/value.js';
import {
  clearable,
  type FieldDeclarations,
  needed,
  optional,
  parseFieldValues,
} from '#libs/validation/request-fields.js';
import { parseFields, requestClass, requestSchema } from '#libs/validation/request-class.js';
import * as c from '#libs/values/values.js';
import { TOKEN_CONTRACTS } from '#libs/kernel/evm-address.js';
import type { RequestFields } from '#libs/kernel/event.js';
import { DecisionExpectation } from '../../given.js';

/** Names of unknown fields in a valid request. */
const checked = (fields: FieldDeclarations, sent: RequestFields) =>
  parseFields(requestClass('request', fields), sent).ignored;
const refused = (fields: FieldDeclarations, sent: RequestFields) =>
  new DecisionExpectation(() => (checked(fields, sent), [])).thenRefused('value', 'value');
const WALLET = `0x${'aB'.repeat(20)}`;

const NOBODYS = [`0x${'0'.repeat(40)}`, ...Object.values(TOKEN_CONTRACTS), TOKEN_CONTRACTS.USDC.toLowerCase()];

const NAMES = { min: 1, max: 2, isKnown: (name: string) => name < 'c', mustBe: 'names' };

/** Check, accepted values, rejected values. */
const CASES: [string, RequestValue<unknown>, string[], string[]][] = [
  [
    'text',
    c.text({ min: 2, max: 4 }),
    ['ab', 'a\nb', '\t\r\n ', '😀😀😀😀'],
    ['a', 'abcde', 'a\u0000b', 'a\u007fb', 'a\u0085b', 'a\ud800'],
  ],
  ['line', c.line({ min: 2, max: 4 }), ['ab', 'äöü', '😀😀'], ['a', 'abcde', 'a\nb', 'a\tb', '    ', ' a ', 'a\udc00']],
  [
    'name',
    c.name,
    ['ab', '  a   b  ', ` ${'a'.repeat(40)} `, `${'a'.repeat(20)}   ${'b'.repeat(19)}`, '😀'.repeat(40)],
    ['a', ' a ', '   ', 'a'.repeat(41), 'a\nb', 'a\tb', 'a\u0000b', 'agent_0123456789', 'The H\u043euse', 'A\u200bda'],
  ],
  ['flag', c.flag, ['true', 'false'], ['1', 'yes', 'TRUE', ' true']],
  [
    'museId',
    c.museId,
    ['muse_abcd', 'agent_0123456789'],
    ['muse_abc', 'agent_012345678', 'agent_ABCDEFGHIJ', 'muse_abcd\n'],
  ],
  ['slug', c.slug, ['a', 'job-1', `a${'b'.repeat(79)}`], ['-a', 'A', 'a_b', `a${'b'.repeat(80)}`, 'a\n']],
  ['id', c.id, ['1', '123456789012'], ['1234567890123', '-1', '1.5', '0x1', '１']],
  ['publicKey', c.publicKey, ['A'.repeat(43)], ['A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`]],
  ['wallet', c.wallet, [WALLET], [WALLET.slice(2), `${WALLET}0`, WALLET.replace('0x', '0X')]],
  ['payoutAddress', c.payoutAddress, [WALLET], [WALLET.slice(2), ...NOBODYS]],
  ['digest', c.digest, ['a'.repeat(64)], ['A'.repeat(64), 'a'.repeat(63)]],
  ['oneOf', c.oneOf('a', 'b'), ['a', 'b'], ['c', 'A', 'a,b', 'toString']],
  ['names', namesValue({ ...NAMES, isSet: false }), ['a', ' b,,a '], ['c', 'a,a,b', ',']],
  ['distinct names', namesValue({ ...NAMES, isSet: true }), ['a', 'a,a,b'], ['c', ',']],
  ['skills', c.skillList(2), ['ocr', 'OCR, ocr ,French', 'c++,c#', ','], ['a', 'a1,b1,c1', 'x'.repeat(25), 'ocr,<b>']],
  [
    'link',
    c.link,
    ['https://a.example/x?y=1', `https://a.example/${'x'.repeat(482)}`],
    [
      'http://a.example',
      'javascript:alert(1)',
      'a.example',
      `https://a.example/${'x'.repeat(483)}`,
      'https://a\n.example',
      'https://',
      'https:a.example',
      'https:/a.example',
      'https:///a.example',
      'https:\\\\a.example',
      'https://user@a.example',
      'https://user:secret@a.example',
      'https://@a.example',
      'https://a.example/a b',
      'https://a"onerror=alert(1)/',
      "https://a'b.example/",
      'https://a`b.example/',
      'https://a{b}.example/',
      `https://a.example/${'ä'.repeat(100)}`,
    ],
  ],
  [
    'webAddress',
    c.webAddress,
    ['https://a.example/x?y=1', 'http://127.0.0.1:4321/x'],
    ['ftp://a.example', 'https:a.example', 'https://user@a.example', `https://a.example/${'x'.repeat(483)}`],
  ],
  [
    'trimmedText',
    c.trimmedText({ min: 2, max: 4 }),
    ['ab', ' ab ', '\na\nb'],
    ['a', ' a  ', 'abcde', ' abc ', 'a\u0000b'],
  ],
  ['trimmedLine', c.trimmedLine({ min: 2, max: 4 }), ['ab', ' ab '], [' a ', 'abcde', 'a\nb']],
  ['itemId', c.item, ['1', '1'.repeat(15)], ['1'.repeat(16), '-1', '1e3']],
  ['time', c.time, ['1767225600000'], ['176722560000', 'tomorrow', '1767225600000.0']],
  ['number', c.number(1, 10), ['1', '9', '10'], ['0', '11', '01', '1.0', '-1', '1e1']],
  ['lightning', c.lightning, ['a@b', 'ada@example.com'], ['a', '@b', 'a@', 'a b@c', `${'x'.repeat(65)}@y`]],
];

describe.each(CASES)('%s', (_name, check, taken, notTaken) => {
  const fields = { value: optional(check, 'What it means') };

  test.each(taken)('accepts %j', value => {
    expect(checked(fields, { value })).toEqual([]);
  });

  test.each(notTaken)('rejects %j under the name of the field', value => {
    refused(fields, { value });
  });

  test('accepts an optional field that is missing or empty', () => {
    expect([checked(fields, {}), checked(fields, { value: '' })]).toEqual([[], []]);
  });

  test('has a schema and a description in the API document', () => {
    expect(requestSchema(fields)).toEqual({
      type: 'object',
      properties: { value: expect.objectContaining({ type: 'string', description: 'What it means' }) },
      required: [],
    });
  });
});

test('rejects a required field that is missing or empty as needed', () => {
  const fields = { value: needed(c.slug) };
  for (const sent of [{}, { value: '' }] as RequestFields[])
    expect(() => checked(fields, sent)).toThrow('`value` is needed.');
  expect(requestSchema(fields)['required']).toEqual(['value']);
});

test('unknown fields are dropped and listed', () => {
  const fields = { value: optional(c.id) };
  const sent = { value: '1', valu: '2', constructor: 'x', toString: 'y' };
  expect(checked(fields, sent)).toEqual(['valu', 'constructor', 'toString']);
  expect(parseFieldValues(fields, sent)).toEqual({ value: 1 });
});

test('parses ids as numbers, flags as booleans and skills as a list', () => {
  const fields = { id: needed(c.id), flag: optional(c.flag), skills: optional(c.skillList(5)), name: optional(c.name) };
  const sent = { id: '12', flag: 'false', skills: 'OCR, ocr, French', name: '  Ada   L ' };
  expect(parseFieldValues(fields, sent)).toEqual({ id: 12, flag: false, skills: ['ocr', 'french'], name: 'Ada L' });
});

test.each([
  ['https://x.example/"onerror=alert(1)', 'https://x.example/%22onerror=alert(1)'],
  ['https://x.example/<b>', 'https://x.example/%3Cb%3E'],
  ["https://x.example/'?'`#'`", 'https://x.example/%27?%27%60#%27%60'],
  ['HTTPS://X.Example:443/a/../b', 'https://x.example/b'],
  ['https://münchen.example/ä', 'https://xn--mnchen-3ya.example/%C3%A4'],
  ['https://2130706433/', 'https://127.0.0.1/'],
])('normalizes a link by the URL standard, and again without change: %s', (sent, kept) => {
  for (const check of [c.link, c.webAddress]) expect([check.parse(sent), check.parse(kept)]).toEqual([kept, kept]);
});

test('an empty field is ignored, or clears a clearable field', () => {
  expect(parseFieldValues({ kept: optional(c.slug), cleared: clearable(c.slug) }, { kept: '', cleared: '' })).toEqual({
    cleared: null,
  });
  expect(parseFieldValues({ cleared: clearable(c.slug) }, {})).toEqual({});
});
