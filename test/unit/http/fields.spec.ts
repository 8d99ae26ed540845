import { describe, expect, test } from '@jest/globals';
import * as fields from '#libs/http/fields.js';
import { type DtoClass, validate } from '#libs/http/validate.js';
import type { RequestFields } from '#libs/kernel/event.js';
import { Outcome } from '../../given.js';

function dtoWith(decorator: PropertyDecorator): DtoClass {
  class Dto {
    declare value?: string;
  }
  decorator(Dto.prototype, 'value');
  return Dto;
}

const refused = (dto: DtoClass, value: string) =>
  new Outcome(() => (validate(dto, { value }), [])).thenRefused('value', 'value');
const WALLET = `0x${'aB'.repeat(20)}`;

/** A decorator, what it takes and what it does not. */
const CASES: [string, PropertyDecorator, string[], string[]][] = [
  [
    'Text',
    fields.Text({ min: 2, max: 4 }),
    ['ab', 'a\nb', '\t\r\n ', '😀😀😀😀'],
    ['a', 'abcde', 'a\u0000b', 'a\u007fb', 'a\u0085b', 'a\ud800'],
  ],
  [
    'Line',
    fields.Line({ min: 2, max: 4 }),
    ['ab', 'äöü', '😀😀'],
    ['a', 'abcde', 'a\nb', 'a\tb', '    ', ' a ', 'a\udc00'],
  ],
  [
    'Name',
    fields.Name(),
    ['ab', '  a   b  ', ` ${'a'.repeat(40)} `, `${'a'.repeat(20)}   ${'b'.repeat(19)}`, '😀'.repeat(40)],
    ['a', ' a ', '   ', 'a'.repeat(41), 'a\nb', 'a\tb', 'a\u0000b'],
  ],
  ['Flag', fields.Flag(), ['true', 'false'], ['1', 'yes', 'TRUE', ' true']],
  [
    'MuseId',
    fields.MuseId(),
    ['muse_abcd', 'agent_0123456789'],
    ['muse_abc', 'agent_012345678', 'agent_ABCDEFGHIJ', 'muse_abcd\n'],
  ],
  ['Slug', fields.Slug(), ['a', 'job-1', `a${'b'.repeat(79)}`], ['-a', 'A', 'a_b', `a${'b'.repeat(80)}`, 'a\n']],
  ['Id', fields.Id(), ['1', '123456789012'], ['1234567890123', '-1', '1.5', '0x1', '１']],
  ['PublicKey', fields.PublicKey(), ['A'.repeat(43)], ['A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`]],
  ['Wallet', fields.Wallet(), [WALLET], [WALLET.slice(2), `${WALLET}0`, WALLET.replace('0x', '0X')]],
  ['Digest', fields.Digest(), ['a'.repeat(64)], ['A'.repeat(64), 'a'.repeat(63)]],
  ['OneOf', fields.OneOf(['a', 'b']), ['a', 'b'], ['c', 'A', 'a,b', 'toString']],
  [
    'Skills',
    fields.Skills(2),
    ['ocr', 'OCR, ocr ,French', 'c++,c#', ','],
    ['a', 'a1,b1,c1', 'x'.repeat(25), 'ocr,<b>'],
  ],
  [
    'Link',
    fields.Link(),
    ['https://a.example/x?y=1', `https://a.example/${'x'.repeat(482)}`],
    [
      'http://a.example',
      'javascript:alert(1)',
      'a.example',
      `https://a.example/${'x'.repeat(483)}`,
      'https://a\n.example',
      'https://',
    ],
  ],
];

describe.each(CASES)('%s', (_name, decorator, taken, notTaken) => {
  const dto = dtoWith(decorator);

  test.each(taken)('takes %j', value => {
    expect(validate(dto, { value }).dto).toEqual({ value });
  });

  test.each(notTaken)('refuses %j by the field’s name', value => {
    refused(dto, value);
  });

  test('is optional: left out and empty pass', () => {
    expect(validate(dto, {}).dto).toEqual({});
    expect(validate(dto, { value: '' }).dto).toEqual({ value: '' });
  });

  test('is shown in the API description with a schema', () => {
    expect(fields.fieldsOf(dto)).toEqual([
      { name: 'value', required: false, schema: expect.objectContaining({ type: 'string' }) },
    ]);
  });
});

test('a field that is required is refused where it is left out or empty, and says that it is needed', () => {
  const dto = dtoWith(fields.Slug({ required: true }));
  for (const value of [{}, { value: '' }]) {
    expect(() => validate<object>(dto, value as RequestFields)).toThrow('value is needed.');
  }
  expect(fields.fieldsOf(dto)[0]!.required).toBe(true);
});

test('a class has the fields of the class that it extends, first', () => {
  const Parent = dtoWith(fields.Id());
  class Child extends Parent {}
  fields.Flag()(Child.prototype, 'other');
  expect(fields.fieldsOf(Child).map(({ name }) => name)).toEqual(['value', 'other']);
  expect(fields.fieldsOf(Parent).map(({ name }) => name)).toEqual(['value']);
  expect(() => validate(Child, { value: 'x', other: 'true' })).toThrow('value must be an id');
});

test('unknown fields are left out of the request and named', () => {
  const { dto, ignored } = validate(dtoWith(fields.Id()), { value: '1', valu: '2', constructor: 'x', toString: 'y' });
  expect(dto).toEqual({ value: '1' });
  expect(ignored).toEqual(['valu', 'constructor', 'toString']);
});
