import { inspect } from 'node:util';
import { expect, test } from '@jest/globals';
import { ApiError } from '#libs/client/index.js';

test('an unhandled refusal prints its sentence once', () => {
  const sentence = '`role` is required.';
  const fields = [{ field: 'role', reason: 'missing', error: sentence }];
  const body = { ok: false, error: sentence, code: 'role', retryable: false, field: 'role', fields };
  const error = new ApiError(400, body);
  // Node prints an uncaught error with these options.
  const printed = inspect(error, { customInspect: false, depth: 5 });
  expect(printed.split(sentence)).toHaveLength(2);
  expect([error.error, error.body, error.fields]).toEqual([sentence, body, fields]);
});
