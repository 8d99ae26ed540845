import { expect, test } from '@jest/globals';
import { undescribedIn } from '../described-answers.js';

test('an answer of a write with an undescribed member is a fault', () => {
  const answer = { ok: true, status: 'pending' };
  expect(undescribedIn('/api/connect', answer)).toBeNull();
  expect(undescribedIn('/api/connect?x=1', { ...answer, status: 'unheard' })).toMatch('/status');
  expect(undescribedIn('/api/connect', { ...answer, unheard: 1 })).toMatch('unheard');
});

test('refusals, reads and other routes have checks of their own', () => {
  expect(undescribedIn('/api/connect', { ok: false })).toBeNull();
  expect(undescribedIn('/api/roles', { ok: true })).toBeNull();
});
