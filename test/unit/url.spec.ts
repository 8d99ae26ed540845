import { expect, test } from '@jest/globals';
import { parseLink } from '#libs/kernel/url.js';

/** Enough calls for the engine to optimize the function. */
const CALLS = 100_000;

test('an address with non-ASCII letters is read the same after many calls', () => {
  const faults = new Set<string>();
  for (let calls = 0; calls < CALLS; calls += 1) {
    const link = parseLink('https://münchen.example/ä');
    faults.add('fault' in link ? link.fault : link.href);
  }
  expect([...faults]).toEqual(['https://xn--mnchen-3ya.example/%C3%A4']);
});
