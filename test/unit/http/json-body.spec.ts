import { describe, expect, test } from '@jest/globals';
import { detectMode, readFields } from '#libs/http/authentication/authentication-mode.js';
import { parseBody } from '#libs/http/json-body.js';
import { DecisionExpectation } from '../../given.js';

const asking = (check: () => unknown) => new DecisionExpectation(() => (check(), []));

describe('a body', () => {
  test.each(['', ' ', '\n\t'])('that is empty (%j) is an object without members', text => {
    expect(parseBody(text)).toEqual({});
  });

  test('is read as it stands', () => {
    expect(parseBody('{"a":"1","b":[1,{"a":2}],"c":"x:y,\\"{\\""}')).toEqual({
      a: '1',
      b: [1, { a: 2 }],
      c: 'x:y,"{"',
    });
  });

  test.each(['[]', '"text"', '1', 'true', 'null', '[{"a":1}]'])('that is no object (%s) is refused', text => {
    asking(() => parseBody(text)).thenRefused('body', 'body');
  });

  test.each(['{', '}', '{"a":}', '{"a":1,}', "{'a':1}", '{"a":"x', '{"a":"x\\"}', '{"a":1}{"b":2}', 'NaN'])(
    'that is no JSON (%s) is refused',
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
  ])('that names a key twice is refused: %s', text => {
    asking(() => parseBody(text)).thenRefused('body', 'body');
  });

  test('may hold the same key at different depths', () => {
    expect(parseBody('{"a":{"a":"1"},"b":[{"a":"2"},{"a":"3"}]}')).toMatchObject({ a: { a: '1' } });
  });

  test('that is nested 32 deep is read, one deeper is refused unread', () => {
    const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    expect(parseBody(nested(32))).toHaveProperty('a.a.a');
    asking(() => parseBody(nested(33))).thenRefused('body', 'body');
    asking(() => parseBody(`{"a":${'['.repeat(50_000)}`)).thenRefused('body', 'body');
  });

  test('with a key that objects have by themselves has it as a member and nothing else', () => {
    const body = parseBody('{"__proto__":{"admin":"true"},"constructor":"x"}');
    expect(Object.keys(body).sort()).toEqual(['__proto__', 'constructor']);
    expect((body as { admin?: string }).admin).toBeUndefined();
  });
});

describe('the fields of a body', () => {
  test('of a signed request are texts, and null is the empty one', () => {
    expect(readFields({ a: 'x', b: null }, true)).toEqual({ a: 'x', b: '' });
    for (const value of [1, true, {}, []]) asking(() => readFields({ note: value }, true)).thenRefused('note', 'note');
  });

  test('of a bearer request may be numbers and booleans, read as their text', () => {
    expect(readFields({ a: 1, b: false, c: 1.5, d: null }, false)).toEqual({ a: '1', b: 'false', c: '1.5', d: '' });
    for (const value of [{}, []]) asking(() => readFields({ note: value }, false)).thenRefused('note', 'note');
  });

  test('are lists as arrays of strings where nothing is signed', () => {
    const lists = { skills: ['french', 'english'], proofs: ['1'], events: [] };
    expect(readFields(lists, false)).toEqual({ skills: 'french,english', proofs: '1', events: '' });
    for (const skills of [[5], [['french']], [null], ['\ud800'], { 0: 'french' }])
      asking(() => readFields({ skills }, false)).thenRefused('skills', 'skills');
    asking(() => readFields({ skills: ['french'] }, true)).thenRefused('skills', 'skills');
    asking(() => readFields({ tags: ['french'] }, false)).thenRefused('tags', 'tags');
  });

  test.each(['12345678901234567890123', '9007199254740993', '1e400', '-1e400'])(
    'of a bearer request are not the number %s, which would be another one',
    text => {
      const body = JSON.parse(`{"note": ${text}}`) as Record<string, unknown>;
      asking(() => readFields(body, false)).thenRefused('note', 'note');
    },
  );

  test.each(['Note', '1a', '', 'a-b', 'note:5:hello', 'ä', '__proto__', 'a'.repeat(65)])('are not named %j', name => {
    const body = JSON.parse(`{${JSON.stringify(name)}: "x"}`) as Record<string, unknown>;
    asking(() => readFields(body, false)).thenRefused('field_name', name.slice(0, 64));
  });

  test.each(['\ud800', 'a\udc00b'])(
    'hold no half of a surrogate pair (%j), whether anybody knows them or not',
    value => {
      for (const signed of [true, false])
        asking(() => readFields({ unheard: value }, signed)).thenRefused('unheard', 'unheard');
      expect(readFields({ note: '😀' }, true)).toEqual({ note: '😀' });
    },
  );
});

describe('how a request wants to be allowed', () => {
  const signature = 'A'.repeat(86);

  test('is by its bearer token, also where it carries a signature', () => {
    expect(detectMode('Bearer abc', { signature })).toEqual({ kind: 'bearer', token: 'abc' });
    expect(detectMode('bearer   abc', {})).toEqual({ kind: 'bearer', token: 'abc' });
  });

  test.each(['Bearer', 'Bearer ', 'bearer a b', 'Bearer <token>'])('is by a bearer token that is none: %j', said => {
    expect(detectMode(said, { signature })).toMatchObject({ kind: 'bearer' });
  });

  test('is by a signature of 86 base64url characters', () => {
    expect(detectMode(undefined, { signature })).toEqual({ kind: 'signed' });
    expect(detectMode('Basic abc', { signature })).toEqual({ kind: 'signed' });
  });

  test.each([undefined, null, ''])('is unsigned without one (%j), and says so', value => {
    expect(detectMode(undefined, { signature: value })).toMatchObject({
      kind: 'unsigned',
      why: expect.stringContaining('no signature'),
    });
  });

  test.each([
    ['A'.repeat(85), '85 characters'],
    [`${'A'.repeat(85)}=`, '86 characters'],
    [5, 'another type'],
  ])('is unsigned with a signature of another shape, and says of which', (value, length) => {
    expect(detectMode(undefined, { signature: value })).toMatchObject({
      kind: 'unsigned',
      why: expect.stringContaining(length),
    });
  });
});
