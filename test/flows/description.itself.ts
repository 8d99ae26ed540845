import { expect } from '@jest/globals';
import type { Calling } from './description.feed.js';

export async function readsItself({ ok, refused, poster }: Pick<Calling, 'ok' | 'refused' | 'poster'>): Promise<void> {
  const itself = 'root api openapi_json llms_txt skill_md skill_json heartbeat_md robots_txt mcp_server_card clients';
  const wellKnown =
    'agent_skills_index_json agent_card_json agent_json ai_catalog_json api_catalog did_json security_txt';
  for (const name of itself.split(' ')) await ok(`get_${name}`);
  for (const name of wellKnown.split(' ')) await ok(`get_well_known_${name}`);
  await ok('get_clients_archive', { path: { archive: 'agent-job-network-client-1.0.0.tgz' } });
  await refused('get_clients_archive', 404, 'not_found', { path: { archive: 'client.tgz' } });
  await ok('faucet', { fields: { wallet: poster.wallet.address } });
  const typo = { wallet: poster.wallet.address, walet: 'x' };
  expect(await ok('faucet', { fields: typo })).toMatchObject({ ignored: ['walet'] });
  await refused('faucet', 400, 'wallet', { only: {} });
}
