import { expect, test } from '@jest/globals';
import { resolveJsonPointer } from '#libs/kernel/json-pointer.js';

const DOCUMENT = {
  foo: ['bar', 'baz'],
  '': 0,
  'a/b': 1,
  'c%d': 2,
  'e^f': 3,
  'g|h': 4,
  'i\\j': 5,
  'k"l': 6,
  ' ': 7,
  'm~n': 8,
};

test.each([
  ['', DOCUMENT],
  ['/foo', ['bar', 'baz']],
  ['/foo/0', 'bar'],
  ['/', 0],
  ['/a~1b', 1],
  ['/c%d', 2],
  ['/e^f', 3],
  ['/g|h', 4],
  ['/i\\j', 5],
  ['/k"l', 6],
  ['/ ', 7],
  ['/m~0n', 8],
])('resolves the pointer "%s" as RFC 6901 defines', (pointer, value) => {
  expect(resolveJsonPointer(DOCUMENT, pointer)).toEqual(value);
});

test.each(['foo', '/bar', '/foo/2', '/foo/00', '/foo/-', '/foo/length', '/toString', '/foo/0/x', '/m~01n'])(
  'the pointer "%s" resolves to nothing',
  pointer => expect(resolveJsonPointer(DOCUMENT, pointer)).toBeUndefined(),
);
