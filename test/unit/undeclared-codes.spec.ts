import { expect, test } from '@jest/globals';
import { undeclaredCode } from '../undeclared-codes.js';

const refused = (code: string) => ({ ok: false, code });

test('names a code that the errors of a verb do not list', () => {
  expect(undeclaredCode('/api/hire', refused('no_seats'))).toBeNull();
  expect(undeclaredCode('/api/hire', refused('worker_has_no_wallet'))).toBe('worker_has_no_wallet');
  expect(undeclaredCode('/api/hire?x=1', refused('worker_has_no_wallet'))).toBe('worker_has_no_wallet');
});

test('accepts codes of every write, fields, reads and answers', () => {
  for (const code of ['rate_limited', 'unsigned', 'linked', 'suspended', 'upgrade_needed'])
    expect(undeclaredCode('/api/hire', refused(code))).toBeNull();
  expect(undeclaredCode('/api/hire', refused('to'))).toBeNull();
  expect(undeclaredCode('/api/roles', refused('worker_has_no_wallet'))).toBeNull();
  expect(undeclaredCode('/api/hire', { ok: true })).toBeNull();
});
