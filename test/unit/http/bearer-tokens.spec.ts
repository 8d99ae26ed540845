import { expect, test } from '@jest/globals';
import type { ReadModels } from '#libs/documents/read-models.js';
import { BearerTokens } from '#libs/http/authentication/bearer-tokens.js';
import type { Principals } from '#libs/http/authentication/principals.port.js';
import { Refusal, Unavailable } from '#libs/kernel/refusal.js';
import { TestClock } from '../../doubles/test-clock.js';

const TOKEN = `service_tok_${'a'.repeat(43)}`;

function tokens(isAtHead: boolean): BearerTokens {
  const models = { waitForHead: () => Promise.resolve(isAtHead) };
  const principals: Partial<Principals> = { ownerOf: () => Promise.resolve(undefined) };
  const nobody = { find: () => Promise.resolve(null) };
  return new BearerTokens(principals as Principals, nobody, models as unknown as ReadModels, new TestClock());
}

test('rejects a token that is missing from up-to-date documents', async () => {
  const refused = tokens(true).verify(TOKEN, 'post');
  await expect(refused).rejects.toThrow(Refusal);
  await expect(refused).rejects.toMatchObject({ code: 'bad_token' });
});

test('returns `unavailable` for a missing token while the documents lag', async () => {
  await expect(tokens(false).verify(TOKEN, 'post')).rejects.toThrow(Unavailable);
});
