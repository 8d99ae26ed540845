import { expect, test } from '@jest/globals';
import { parseLink } from '#libs/kernel/link.js';

/** From some thousand calls on the engine replaces a function by a faster form of it. */
const CALLS = 100_000;

test('an address with letters beyond ASCII stays one however often addresses are read', () => {
  const faults = new Set<string>();
  for (let calls = 0; calls < CALLS; calls += 1) {
    const link = parseLink('https://münchen.example/ä');
    faults.add('fault' in link ? link.fault : link.href);
  }
  expect([...faults]).toEqual(['https://xn--mnchen-3ya.example/%C3%A4']);
});
