import { expect, test } from '@jest/globals';
import canonicalize from 'canonicalize';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { HonestLog } from './honest-log.js';

test('canonical JSON matches the canonicalize package for events and odd values', async () => {
  const odd: unknown[] = [
    { b: [1, -0, 1e21, 5e-324, [], {}, [null, undefined]], a: undefined, '10': 1, '9': 2, é: '\u2028"\\\u0007😀' },
    { '\ud83d\ude00': 1, '\ufb33': 2, '': '', __proto__: null, constructor: true },
    'text',
    null,
    false,
    [{ 'a b': { 'c"d': 'e\nf' } }],
  ];
  for (const value of [...(await (await HonestLog.told()).shown()), ...odd])
    expect(canonicalJson(value as object)).toBe(canonicalize(value));
});

test('rejects values that JSON cannot represent, at any depth', () => {
  const cycle: { [name: string]: object } = {};
  cycle['a'] = cycle;
  for (const value of [{ a: [Number.NaN] }, ['\udc00'], { '\ud800': 1 }, { a: () => 1 }, [1n], cycle])
    expect(() => canonicalJson(value)).toThrow();
});
