import { expect, test } from '@jest/globals';
import { hire } from '#libs/features/hires/hire.js';
import { rule } from '#libs/kernel/refusal.js';
import { undeclaredCode } from '../undeclared-codes.js';
import { decides } from './features/deciding.js';

const refused = (code: string) => ({ ok: false, code });

test('reports a code that the errors of an operation do not list', () => {
  expect(undeclaredCode('/api/hire', refused('no_seats'))).toBeNull();
  expect(undeclaredCode('/api/hire', refused('not_linkable'))).toBe('not_linkable');
  expect(undeclaredCode('/api/hire?x=1', refused('not_linkable'))).toBe('not_linkable');
});

test('reports a code that the errors of a read do not list', () => {
  expect(undeclaredCode('/api/role/job-1', refused('not_found'))).toBeNull();
  expect(undeclaredCode('/api/boards?x=1', refused('not_found'))).toBe('not_found');
  expect(undeclaredCode('/api/role/job-1', refused('no_seats'))).toBe('no_seats');
});

test('reports the code of a refused decision that its operation does not list', () => {
  const refusing = { ...hire, decide: () => rule(false, 'not_linkable', 'There is no wallet.') as never };
  const decide = decides(refusing, { role: 'job-123456789012', to: 'agent_worker0000' }, 'agent_poster0000');
  expect(() => decide(null)).toThrow('The errors of hire lack not_linkable.');
});

test('accepts codes of every write, field names and success responses', () => {
  for (const code of ['rate_limited', 'unsigned', 'linked', 'suspended', 'upgrade_needed'])
    expect(undeclaredCode('/api/hire', refused(code))).toBeNull();
  expect(undeclaredCode('/api/hire', refused('to'))).toBeNull();
  expect(undeclaredCode('/api/hire', { ok: true })).toBeNull();
});

test('a declared code with a status that its endpoint does not list is found', () => {
  const refused = { ok: false, code: 'no_key' };
  expect(undeclaredCode('/api/link', refused, 409)).toBeNull();
  expect(undeclaredCode('/api/link', refused, 401)).toBeNull();
  expect(undeclaredCode('/api/hire', refused, 409)).toBe('no_key 409');
});
