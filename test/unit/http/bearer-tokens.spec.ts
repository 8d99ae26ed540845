import { expect, test } from '@jest/globals';
import { BearerTokens } from '#libs/http/authentication/bearer-tokens.js';
import type { Principals } from '#libs/http/authentication/principals.port.js';
import { Refusal, Unavailable } from '#libs/kernel/refusal.js';
import { TestClock } from '../../doubles/test-clock.js';

const TOKEN = `service_tok_${'a'.repeat(43)}`;

function tokens(currentOwnerOf: Principals['currentOwnerOf']): BearerTokens {
  const principals: Partial<Principals> = { ownerOf: () => Promise.resolve(undefined), currentOwnerOf };
  return new BearerTokens(principals as Principals, { find: () => Promise.resolve(null) }, new TestClock());
}

test('rejects a token that is missing from up-to-date documents', async () => {
  const refused = tokens(() => Promise.resolve(undefined)).verify(TOKEN, 'post');
  await expect(refused).rejects.toThrow(Refusal);
  await expect(refused).rejects.toMatchObject({ code: 'bad_token' });
});

test('returns `unavailable` for a missing token while the documents lag', async () => {
  const unavailable = () => Promise.reject(new Unavailable('The read models'));
  await expect(tokens(unavailable).verify(TOKEN, 'post')).rejects.toThrow(Unavailable);
});
