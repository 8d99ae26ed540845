import { describe, expect, test } from '@jest/globals';
import type { RequestValue } from '#libs/values/value.js';
import { type FieldDeclarations, needed, optional } from '#libs/validation/request-fields.js';
import { findFieldFaults, parseFields, requestClass } from '#libs/validation/request-class.js';
import { services } from '#libs/values/services.js';
import { waitMs } from '#libs/validation/long-poll.js';
import * as c from '#libs/values/values.js';
import { cursor, limit } from '#libs/http/paging.js';
import { type Reason, FAULT_REASONS } from '#libs/kernel/field-faults.js';
import { Refusal } from '#libs/kernel/refusal.js';

const faults = (fields: FieldDeclarations, sent: object) =>
  findFieldFaults(requestClass('request', fields), sent as never);

const CASES: [string, RequestValue<unknown>, unknown, Reason][] = [
  ['text', c.text({ max: 3 }), 'abcd', 'too_long'],
  ['text', c.text({ min: 2, max: 3 }), 'a', 'too_short'],
  ['text', c.text({ max: 3 }), 'a\u0000', 'forbidden_characters'],
  ['text', c.text({ max: 3 }), 'a\ud800', 'forbidden_characters'],
  ['text', c.text({ max: 3 }), ['a'], 'not_text'],
  ['words', c.nonBlankText({ max: 3 }), '  ', 'too_short'],
  ['words', c.nonBlankText({ max: 3 }), 'abcd', 'too_long'],
  ['trimmedText', c.trimmedText({ min: 2, max: 3 }), ' a ', 'too_short'],
  ['line', c.line({ max: 3 }), 'a\nb', 'forbidden_characters'],
  ['line', c.line({ max: 3 }), 'abcd', 'too_long'],
  ['line', c.line({ max: 3 }), '  ', 'too_short'],
  ['anyLine', c.anyLine, 'a\nb', 'forbidden_characters'],
  ['name', c.name, 'a', 'too_short'],
  ['name', c.name, 'a'.repeat(41), 'too_long'],
  ['name', c.name, 'a\tb', 'forbidden_characters'],
  ['name', c.name, 'agent_0123456789', 'not_allowed'],
  ['oneOf', c.oneOf('a', 'b'), 'c', 'unknown_value'],
  ['flag', c.flag, 'yes', 'unknown_value'],
  ['number', c.number(1, 10), '11', 'out_of_range'],
  ['number', c.number(1, 10), '-1', 'out_of_range'],
  ['number', c.number(1, 10), 'ten', 'not_a_number'],
  ['number', c.number(1, 10), '1.5', 'not_a_number'],
  ['time', c.time, 'tomorrow', 'not_a_number'],
  ['time', c.time, '1767225600', 'out_of_range'],
  ['limit', limit(), '0', 'out_of_range'],
  ['limit', limit(), 'all', 'not_a_number'],
  ['wait', waitMs, 'long', 'not_a_number'],
  ['cursor', cursor, '?', 'malformed'],
  ['id', c.id, 'x', 'malformed'],
  ['slug', c.slug, 'A b', 'malformed'],
  ['wallet', c.wallet, '0x1', 'malformed'],
  ['link', c.link, 'a.example', 'malformed'],
  ['link', c.link, 'http://a.example', 'not_allowed'],
  ['link', c.link, 'https://user@a.example', 'not_allowed'],
  ['link', c.link, `https://a.example/${'x'.repeat(500)}`, 'too_long'],
  ['skills', c.skillList(1), 'ocr,french', 'too_many'],
  ['skills', c.skillList(1), '<b>', 'malformed'],
  ['services', services, JSON.stringify(Array.from({ length: 21 }, () => ({}))), 'too_many'],
  ['services', services, '[{}]', 'malformed'],
];

describe('the reason for an invalid field', () => {
  test.each(CASES)('is returned for %s', (_name, check, value, reason) => {
    expect(faults({ value: optional(check) }, { value })).toEqual([
      { field: 'value', reason, error: expect.stringMatching(/^`value.*` must be .*\.$/) },
    ]);
  });

  test('is `missing` for a required field that is left out or empty', () => {
    for (const sent of [{}, { value: '' }])
      expect(faults({ value: needed(c.slug) }, sent)).toEqual([
        { field: 'value', reason: 'missing', error: '`value` is needed.' },
      ]);
  });

  test('has a snake_case name and a sentence that explains it', () => {
    for (const [word, meaning] of Object.entries(FAULT_REASONS))
      expect([word, meaning]).toEqual([
        expect.stringMatching(/^[a-z]+(_[a-z]+)*$/),
        expect.stringMatching(/^[A-Z].*\.$/),
      ]);
  });
});

const FIELDS = { role: needed(c.slug), note: needed(c.text({ max: 3 })), seats: optional(c.number(1, 9)) };

describe('the validation of several fields', () => {
  const wrong = [
    { field: 'role', reason: 'missing', error: '`role` is needed.' },
    { field: 'note', reason: 'too_long', error: '`note` must be text of 1 to 3 characters.' },
    { field: 'seats', reason: 'not_a_number', error: '`seats` must be a number from 1 to 9.' },
  ];
  const sent = { seats: 'many', note: 'hello' };

  test('reports all faults in order and refuses the first', () => {
    let refusal: unknown;
    try {
      parseFields(requestClass('request', FIELDS), sent);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({
      code: 'role',
      message: '`role` is needed.',
      details: { field: 'role', faults: wrong },
    });
  });

  test('finds no fault in valid fields', () => {
    expect(faults(FIELDS, { role: 'job-1', note: 'yes' })).toEqual([]);
  });
});
