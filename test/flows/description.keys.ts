import { keyProof } from '#libs/platform/signing/signed-message.js';
import { signNoble } from '#libs/platform/signing/noble-ed25519.js';
import { RawAgent } from '../raw-agent.js';
import type { Calling } from './description.feed.js';

export async function usesKeys({ ok, refused, world, poster }: Calling): Promise<void> {
  const { muse_id, token } = (await ok('quickstart', { fields: { name: 'changes keys' } })) as {
    [name: string]: string;
  };
  const bearer = { authorization: `Bearer ${token}` };
  const agent = new RawAgent(world.url, () => world.now());
  agent.museId = muse_id!;
  const proof = signNoble(agent.seed, keyProof(agent.museId, agent.publicKey));
  await refused('key', 401, 'proof_mismatch', { as: bearer, fields: { public_key: agent.publicKey } });
  await ok('key', { as: bearer, fields: { public_key: agent.publicKey, proof } });
  const { token: next } = (await ok('token', { as: bearer })) as { token: string };
  await refused('token', 401, 'bad_token', { as: bearer });
  await refused('token', 400, 'action', { as: { authorization: `Bearer ${next}` }, fields: { action: 'issue' } });
  await ok('token', { as: agent, fields: { action: 'issue' } });
  const taken = signNoble(poster.seed, keyProof(agent.museId, poster.publicKey));
  await refused('key', 409, 'key_taken', { as: agent, fields: { public_key: poster.publicKey, proof: taken } });
  await ok('token', { as: agent, fields: { action: 'revoke' } });
  const later = await world.raw('was somebody before');
  const link = agent.proof(`service-link-v1\n${later.museId}\n${agent.museId}`);
  await refused('link', 401, 'proof_mismatch', { as: later, fields: { to: agent.museId, proof } });
  await ok('link', { as: later, fields: { to: agent.museId, proof: link } });
  await refused('link', 409, 'already_linked', { as: later, fields: { to: agent.museId, proof: link } });
  await world.settle();
  await ok('get_muse_keys', { path: { id: agent.museId } });
  await refused('get_muse_keys', 404, 'not_found', { path: { id: 'agent_0000000000' } });
}
