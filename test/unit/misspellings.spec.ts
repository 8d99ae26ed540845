import { expect, test } from '@jest/globals';
import { findIntendedName } from '#libs/validation/misspellings.js';

const KNOWN = ['title', 'budget', 'budget_usd', 'seats', 'expires_at', 'rail'];

test.each([
  ['budgt', 'budget'],
  ['budgget', 'budget'],
  ['bugdet', 'budget'],
  ['budgat', 'budget'],
  ['budgetusd', 'budget_usd'],
  ['bugdet_uds', 'budget_usd'],
  ['expire_at', 'expires_at'],
  ['expiresat', 'expires_at'],
  ['rial', 'rail'],
  ['seat', 'seats'],
])('suggests for the misspelling %s the field %s', (unknown, name) =>
  expect(findIntendedName(unknown, KNOWN)).toBe(name),
);

test.each(['bdgt', 'never_heard_of', 'budget_eur_x', 'rl', 'x', 'expiry'])('suggests nothing for %s', unknown =>
  expect(findIntendedName(unknown, KNOWN)).toBeUndefined(),
);
