import { expect, test } from '@jest/globals';
import { undescribedIn } from '../described-answers.js';

test('reports an undescribed member in the response of a command', () => {
  const answer = { ok: true, status: 'pending' };
  expect(undescribedIn('/api/connect', answer)).toBeNull();
  expect(undescribedIn('/api/connect?x=1', { ...answer, status: 'unheard' })).toMatch('/status');
  expect(undescribedIn('/api/connect', { ...answer, unheard: 1 })).toMatch('unheard');
});

test('skips refusals, reads and other routes', () => {
  expect(undescribedIn('/api/connect', { ok: false })).toBeNull();
  expect(undescribedIn('/api/roles', { ok: true })).toBeNull();
});
