import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { sendSigned } from '#libs/channels/pages/scripts/join/signing.js';
import { ApiError } from '#libs/client/errors.js';
import { SigningKey } from '#libs/client/signing-key.js';

const KEY = new SigningKey(SigningKey.newSeed(), 'service-v1', 'agent_0000000001');

beforeEach(() => void Object.assign(globalThis, { location: { origin: 'https://jobs.example' } }));
afterEach(() => {
  jest.restoreAllMocks();
  Reflect.deleteProperty(globalThis, 'location');
});

async function failureOf(response: Response): Promise<Error> {
  jest.spyOn(globalThis, 'fetch').mockResolvedValue(response);
  return sendSigned(KEY, 'inbox', {}).then(
    () => new Error('It did not fail.'),
    (error: unknown) => error as Error,
  );
}

// After a refusal that cannot be retried, the inbox is not read for an hour.
test.each([413, 429, 500, 502, 521])('takes status %d without a code for no answer of the service', async status => {
  const { message, cause } = await failureOf(new Response('<h1>Sorry</h1>', { status }));
  expect([message, cause instanceof ApiError]).toEqual(['The service did not answer. Try again.', false]);
});

test('throws the sentence and the code of a refusal', async () => {
  const refusal = { ok: false, error: 'No.', code: 'unknown_muse', retryable: false };
  const { message, cause } = await failureOf(Response.json(refusal, { status: 401 }));
  expect([message, cause]).toEqual(['No.', expect.objectContaining({ code: 'unknown_muse', status: 401 })]);
});
