import { expect } from '@jest/globals';
import type { Calling } from './description.feed.js';

export async function readsItself({ ok, refused, poster }: Pick<Calling, 'ok' | 'refused' | 'poster'>): Promise<void> {
  const itself = 'root api openapi_json llms_txt skill_md skill_json heartbeat_md robots_txt mcp_server_card';
  const wellKnown = 'agent_skills_index_json agent_card_json ai_catalog_json api_catalog did_json security_txt';
  for (const name of itself.split(' ')) await ok(`get_${name}`);
  for (const name of wellKnown.split(' ')) await ok(`get_well_known_${name}`);
  await ok('faucet', { fields: { wallet: poster.wallet.address } });
  const typo = { wallet: poster.wallet.address, walet: 'x' };
  expect(await ok('faucet', { fields: typo })).toMatchObject({ ignored: ['walet'] });
  await refused('faucet', 400, 'wallet', { only: {} });
}
