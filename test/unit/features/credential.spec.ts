import { expect, test } from '@jest/globals';
import type { ReadModels } from '#libs/documents/read-models.js';
import { credential } from '#libs/features/verification/credential.js';
import { Issuer } from '#libs/issuer/issuer.js';
import { MemoryVault } from '../../doubles/memory-vault.js';
import { InMemoryStores, refusalOf } from '../in-memory-stores.js';

const ADA = { name: 'Ada', verification: null, human_handle: null, joined: true, public_key: null };
const COUNTS = { earned: {}, connections: 0, endorsements: { count: 0, cited: 0 } };
const museOf = (muse_id: string) => ({ id: muse_id, body: { muse_id, ...ADA, ...COUNTS } });

/** Credential query with these muses under the requested name. */
async function asking(...ids: string[]) {
  const { journal, clock } = new InMemoryStores();
  const address = { baseUrl: 'https://jobs.example' };
  const issuer = await Issuer.open({ journal, vault: new MemoryVault(), clock, address }, null);
  const models = { of: () => ({ find: async () => ids.map(museOf) }) } as unknown as ReadModels;
  const http = undefined as never;
  return async (muse: string) => credential.find({ muse }, { models, issuer, clock }, http);
}

test('an ambiguous name lists its muses and returns no credential', async () => {
  const ids = ['agent_aaaaaaaaaa', 'muse_bbbb'];
  const refused = await refusalOf((await asking(...ids))('ada'));
  expect(refused).toMatchObject({ code: 'ambiguous_name', details: { more: { muse_ids: ids } } });
});

test('a name returns its only muse, or not found', async () => {
  const credential = await (await asking('agent_aaaaaaaaaa'))('ada');
  expect(credential).toMatchObject({ muse_id: 'agent_aaaaaaaaaa', verified: false });
  expect(credential).not.toHaveProperty('credential');
  expect(await refusalOf((await asking())('ada'))).toMatchObject({ code: 'not_found' });
});
