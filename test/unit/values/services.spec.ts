import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { optional } from '#libs/validation/request-fields.js';
import { findFieldFaults, requestClass } from '#libs/validation/request-class.js';
import { parseServices, services, SERVICES_MAX } from '#libs/values/services.js';

const OFFER = {
  title: 'A page',
  done: 'A page in French',
  price_usd: '10.5',
  turnaround_hours: 24,
  skills: ['french'],
};
const parse = (...offers: unknown[]) => parseServices(JSON.stringify(offers));

describe('service offers', () => {
  test('are returned as sent, with skills in lower case and deduplicated', () => {
    expect(parse(OFFER)).toEqual([OFFER]);
    expect(parse({ ...OFFER, skills: ['OCR', 'ocr '] })).toEqual([{ ...OFFER, skills: ['ocr'] }]);
  });

  test('need no skills', () => {
    const { skills: _none, ...bare } = OFFER;
    expect(parse(bare)).toEqual([{ ...bare, skills: [] }]);
  });

  test('may be empty, or as many as the limit', () => {
    expect(parse()).toEqual([]);
    expect(parse(...Array.from({ length: SERVICES_MAX }, () => OFFER))).toHaveLength(SERVICES_MAX);
    expect(parse(...Array.from({ length: SERVICES_MAX + 1 }, () => OFFER))).toBeNull();
  });

  const wrong: [string, object][] = [
    ['an empty title', { title: '  ' }],
    ['a title of two lines', { title: 'A\npage' }],
    ['a title that is too long', { title: 'x'.repeat(201) }],
    ['a title that is not text', { title: { toString: 'A page' } }],
    ['a missing done line', { done: undefined }],
    ['a done line with half a character', { done: '\ud800 page' }],
    ['a numeric price', { price_usd: 10 }],
    ['a negative price', { price_usd: '-1' }],
    ['a price with an exponent', { price_usd: '1e3' }],
    ['a price with a line break', { price_usd: '10\n' }],
    ['a price with seven decimals', { price_usd: '0.0000001' }],
    ['hours as text', { turnaround_hours: '24' }],
    ['half an hour', { turnaround_hours: 0.5 }],
    ['zero hours', { turnaround_hours: 0 }],
    ['more than a year', { turnaround_hours: 8_761 }],
    ['skills as text', { skills: 'french' }],
    ['null skills', { skills: null }],
    ['a skill with a comma', { skills: ['a1,b1'] }],
    ['a skill that is not text', { skills: [['french']] }],
    ['a malformed skill', { skills: ['<b>'] }],
    ['more skills than the limit', { skills: Array.from({ length: 21 }, (_, n) => `skill ${n}`) }],
    ['an unknown member', { currency: 'USD' }],
  ];

  test.each(wrong)('are rejected with %s', (_what, changed) => {
    expect(parse({ ...OFFER, ...changed })).toBeNull();
    expect(parse(OFFER, { ...OFFER, ...changed })).toBeNull();
  });

  test.each(['', 'null', '{}', '"[]"', '[', '[[]]', '[null]', '[1]', '[{}]', 'NaN', '\u0000'])('cannot be %j', text =>
    expect(parseServices(text)).toBeNull(),
  );

  test.each([
    [[OFFER, { ...OFFER, price_usd: 12.5 }], '`services[1].price_usd` must be a decimal string such as "12.50".'],
    [[OFFER, { ...OFFER, price_usd: '12.5 USD' }], '`services[1].price_usd` must be a decimal string such as "12.50".'],
    [[{ ...OFFER, title: '' }], '`services[0].title` must be one line of 1 to 200 visible characters.'],
    [[{ ...OFFER, title: 'A\u{e0041}' }], '`services[0].title` must be one line of 1 to 200 visible characters.'],
    [[{ ...OFFER, done: undefined }], '`services[0].done` must be one line of 1 to 200 visible characters.'],
    [[{ ...OFFER, turnaround_hours: '24' }], '`services[0].turnaround_hours` must be a whole number from 1 to 8760.'],
    [[{ ...OFFER, skills: 'french' }], /^`services\[0\]\.skills` must be an array of at most 20 skills of 2 to 24/],
    [
      [{ ...OFFER, price: '1' }],
      /^`services\[0\]\.price` must be left out: an offer is an object with `title`, `done`/,
    ],
    [[{ ...OFFER, ['a b']: 1 }], /^`services\[0\]` must be an object with `title`, .* and nothing else\.$/],
    [[OFFER, 'A page'], /^`services\[1\]` must be an object with `title`, `done`, `price_usd`/],
    [
      { ...OFFER },
      /^`services` must be a JSON array of at most 20 offers, written as a string, each an object with `title`/,
    ],
  ])('name the invalid entry and member: %j', (value, error) => {
    const request = requestClass('request', { services: optional(services) });
    const [fault] = findFieldFaults(request, { services: JSON.stringify(value) });
    if (error instanceof RegExp) expect(fault!.error).toMatch(error);
    else expect(fault!.error).toBe(error);
  });

  test('service offers are described as JSON inside a string', () => {
    expect(services.schema).toMatchObject({
      type: 'string',
      contentMediaType: 'application/json',
      contentSchema: { type: 'array', items: { required: ['title', 'done', 'price_usd', 'turnaround_hours'] } },
    });
    const validate = new Ajv2020().compile(services.schema['contentSchema'] as object);
    expect([validate([OFFER]), validate([{ ...OFFER, price_usd: 5 }]), validate([{}])]).toEqual([true, false, false]);
  });

  test('service offers cannot change a prototype', () => {
    expect(parseServices('[{"__proto__":{"title":"x","done":"y"},"price_usd":"1","turnaround_hours":1}]')).toBeNull();
    expect(parseServices('[{"constructor":{"prototype":{"polluted":true}}}]')).toBeNull();
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('service offers are rejected if nested too deeply', () => {
    expect(parseServices('['.repeat(60_000))).toBeNull();
    expect(parseServices(`${'['.repeat(30_000)}${']'.repeat(30_000)}`)).toBeNull();
    expect(parseServices(`[{"title":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}]`)).toBeNull();
  });
});
