import { describe, expect, test } from '@jest/globals';
import { detectMode, readFields } from '#libs/http/authentication/authentication-mode.js';
import { parseBody } from '#libs/http/json-body.js';
import { DecisionExpectation } from '../../given.js';

const asking = (check: () => unknown) => new DecisionExpectation(() => (check(), []));

describe('a request body', () => {
  test.each(['', ' ', '\n\t'])('is an empty object if it is blank (%j)', text => {
    expect(parseBody(text)).toEqual({});
  });

  test('is parsed as JSON', () => {
    expect(parseBody('{"a":"1","b":[1,{"a":2}],"c":"x:y,\\"{\\""}')).toEqual({
      a: '1',
      b: [1, { a: 2 }],
      c: 'x:y,"{"',
    });
  });

  test.each(['[]', '"text"', '1', 'true', 'null', '[{"a":1}]'])('is rejected if it is not an object (%s)', text => {
    asking(() => parseBody(text)).thenRefused('body', 'body');
  });

  test.each(['{', '}', '{"a":}', '{"a":1,}', "{'a':1}", '{"a":"x', '{"a":"x\\"}', '{"a":1}{"b":2}', 'NaN'])(
    'is rejected if it is not JSON (%s)',
    text => {
      asking(() => parseBody(text)).thenRefused('body', 'body');
    },
  );

  test.each([
    '{"a":"1","a":"2"}',
    '{"a":"1","b":"2","a":"1"}',
    '{"a":"1","\\u0061":"2"}',
    '{ "a" : {} , "a" : [] }',
    '{"__proto__":"1","__proto__":"2"}',
  ])('is rejected if it repeats a key: %s', text => {
    asking(() => parseBody(text)).thenRefused('body', 'body');
  });

  test('may repeat a key at another depth', () => {
    expect(parseBody('{"a":{"a":"1"},"b":[{"a":"2"},{"a":"3"}]}')).toMatchObject({ a: { a: '1' } });
  });

  test('may be nested 32 levels deep but not 33', () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    expect(parseBody(nested(32))).toHaveProperty('a.a.a');
    asking(() => parseBody(nested(33))).thenRefused('body', 'body');
    asking(() => parseBody(`{"a":${'['.repeat(50_000)}`)).thenRefused('body', 'body');
  });

  test('keeps keys like `__proto__` as plain members', () => {
    const body = parseBody('{"__proto__":{"admin":"true"},"constructor":"x"}');
    expect(Object.keys(body).sort()).toEqual(['__proto__', 'constructor']);
    expect((body as { admin?: string }).admin).toBeUndefined();
  });
});

describe('the fields of a body', () => {
  test('are strings in a signed request, where null is the empty string', () => {
    expect(readFields({ a: 'x', b: null }, true)).toEqual({ a: 'x', b: '' });
    for (const value of [1, true, {}, []]) asking(() => readFields({ note: value }, true)).thenRefused('note', 'note');
  });

  test('may be numbers and booleans in a bearer request', () => {
    expect(readFields({ a: 1, b: false, c: 1.5, d: null }, false)).toEqual({ a: '1', b: 'false', c: '1.5', d: '' });
    for (const value of [{}, []]) asking(() => readFields({ note: value }, false)).thenRefused('note', 'note');
  });

  test('may be arrays of strings for list fields of an unsigned request', () => {
    const lists = { skills: ['french', 'english'], proofs: ['1'], events: [] };
    expect(readFields(lists, false)).toEqual({ skills: 'french,english', proofs: '1', events: '' });
    for (const skills of [[5], [['french']], [null], ['\ud800'], { 0: 'french' }])
      asking(() => readFields({ skills }, false)).thenRefused('skills', 'skills');
    asking(() => readFields({ skills: ['french'] }, true)).thenRefused('skills', 'skills');
    asking(() => readFields({ tags: ['french'] }, false)).thenRefused('tags', 'tags');
  });

  test.each(['12345678901234567890123', '9007199254740993', '1e400', '-1e400'])(
    'reject the number %s, which loses precision',
    text => {
      const body = JSON.parse(`{"note": ${text}}`) as Record<string, unknown>;
      asking(() => readFields(body, false)).thenRefused('note', 'note');
    },
  );

  test.each(['Note', '1a', '', 'a-b', 'note:5:hello', 'ä', '__proto__', 'a'.repeat(65)])('reject the name %j', name => {
    const body = JSON.parse(`{${JSON.stringify(name)}: "x"}`) as Record<string, unknown>;
    asking(() => readFields(body, false)).thenRefused('field_name', name.slice(0, 64));
  });

  test.each(['\ud800', 'a\udc00b'])('reject an unpaired surrogate (%j), even in an unknown field', value => {
    for (const signed of [true, false])
      asking(() => readFields({ unheard: value }, signed)).thenRefused('unheard', 'unheard');
    expect(readFields({ note: '😀' }, true)).toEqual({ note: '😀' });
  });
});

describe('the authentication mode of a request', () => {
  const signature = 'A'.repeat(86);

  test('is bearer when there is a token, even with a signature', () => {
    expect(detectMode('Bearer abc', { signature })).toEqual({ kind: 'bearer', token: 'abc' });
    expect(detectMode('bearer   abc', {})).toEqual({ kind: 'bearer', token: 'abc' });
  });

  test.each(['Bearer', 'Bearer ', 'bearer a b', 'Bearer <token>'])('is bearer for the malformed header %j', header => {
    expect(detectMode(header, { signature })).toMatchObject({ kind: 'bearer' });
  });

  test('is signed with a signature of 86 base64url characters', () => {
    expect(detectMode(undefined, { signature })).toEqual({ kind: 'signed' });
    expect(detectMode('Basic abc', { signature })).toEqual({ kind: 'signed' });
  });

  test.each([undefined, null, ''])('is unsigned if the signature is %j, and the reason says so', value => {
    expect(detectMode(undefined, { signature: value })).toMatchObject({
      kind: 'unsigned',
      why: expect.stringContaining('no signature'),
    });
  });

  test.each([
    ['A'.repeat(85), '85 characters'],
    [`${'A'.repeat(85)}=`, '86 characters'],
    [5, 'not a string'],
  ])('is unsigned for a malformed signature, and the reason describes it', (value, length) => {
    expect(detectMode(undefined, { signature: value })).toMatchObject({
      kind: 'unsigned',
      why: expect.stringContaining(length),
    });
  });
});
