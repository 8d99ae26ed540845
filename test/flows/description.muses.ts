import { expect } from '@jest/globals';
import { keyProof } from '#libs/platform/signing/signed-message.js';
import { signNoble } from '#libs/platform/signing/noble-ed25519.js';
import { TestOperator } from '../operator-signature.js';
import { binding, keyFor, naming } from '../recovery-keys.js';
import { RawAgent } from '../raw-agent.js';
import type { Calling } from './description.work.js';

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
  const reads = { action: 'issue', scope: 'read' };
  const { token: reader } = (await ok('token', { as: { authorization: `Bearer ${next}` }, fields: reads })) as {
    token: string;
  };
  await refused('token', 403, 'scope', { as: { authorization: `Bearer ${reader}` }, fields: { action: 'issue' } });
  await ok('token', { as: agent, fields: { action: 'issue' } });
  const taken = signNoble(poster.seed, keyProof(agent.museId, poster.publicKey));
  await refused('key', 409, 'key_taken', { as: agent, fields: { public_key: poster.publicKey, proof: taken } });
  await ok('token', { as: agent, fields: { action: 'revoke' } });
  const recovering = keyFor(world, agent.museId);
  const renewed = keyFor(world, agent.museId);
  await refused('recovery', 401, 'proof_mismatch', { as: agent, fields: naming(recovering, poster.museId) });
  await ok('recovery', { as: agent, fields: naming(recovering) });
  await refused('recover', 401, 'proof_mismatch', { as: recovering, fields: binding(renewed, poster.museId) });
  await ok('recover', { as: recovering, fields: binding(renewed) });
  await ok('recovery', { as: agent, fields: { action: 'stop' } });
  await ok('recovery', { as: agent, fields: { action: 'remove' } });
  const later = await world.raw('was somebody before');
  const link = agent.proof(`service-link-v1\n${later.museId}\n${agent.museId}`);
  await refused('link', 401, 'proof_mismatch', { as: later, fields: { to: agent.museId, proof } });
  await ok('link', { as: later, fields: { to: agent.museId, proof: link } });
  await refused('link', 409, 'already_linked', { as: later, fields: { to: agent.museId, proof: link } });
  await world.settle();
  await ok('get_muse_keys', { path: { id: agent.museId } });
  await refused('get_muse_keys', 404, 'not_found', { path: { id: 'agent_0000000000' } });
}

export async function usesNetwork({ ok, refused, world, poster, worker }: Calling): Promise<void> {
  await ok('connect', { as: poster, fields: { to: worker.museId } });
  await ok('connect', { as: worker, fields: { to: poster.museId } });
  await refused('connect', 404, 'not_found', { as: worker });
  await refused('connect', 400, 'to', { as: worker, fields: { to: worker.museId } });
  await world.settle();
  await ok('get_muse_connections', { path: { id: poster.museId }, query: '?limit=1' });
  await ok('get_referral_status', { query: `?muse_id=${poster.museId}` });
  await refused('get_referral_status', 401, 'bad_token', { headers: { authorization: 'Bearer wrong' } });
  await refused('get_referral_status', 404, 'not_found', { query: '?muse_id=agent_0000000000' });
  await refused('get_muse_connections', 404, 'not_found', { path: { id: 'agent_0000000000' } });
  await refused('recommend', 404, 'not_found', { as: poster });
  await ok('recommend', { as: poster, fields: { to: worker.museId } });
  await ok('profile', { as: worker, fields: { skills: 'french' } });
  const skill = { to: worker.museId, skill: 'french', hire: '' };
  await ok('endorse', { as: poster, fields: skill });
  await world.settle();
  await ok('get_muse', { path: { id: worker.museId } });
  await ok('message', { as: poster, fields: { to: worker.museId } });
  await world.settle();
  await ok('messages', { as: worker, fields: { with: poster.museId } });
  await ok('statement', { as: worker, fields: { month: '2026-11' } });
  await refused('messages', 404, 'not_found', { as: worker });
  expect(await ok('inbox', { as: worker })).toMatchObject({ items: expect.arrayContaining([expect.anything()]) });
  await ok('block', { as: worker, fields: { to: poster.museId } });
  await refused('block', 404, 'not_found', { as: worker });
  await ok('blocks', { as: worker });
  await ok('unblock', { as: worker, fields: { to: poster.museId } });
  await refused('unblock', 404, 'not_found', { as: worker });
  await ok('report', { as: worker, only: { muse: poster.museId, reason: 'spam' } });
  await refused('report', 404, 'not_found', { as: worker });
  await ok('disconnect', { as: poster, fields: { to: worker.museId } });
  await refused('message', 409, 'recipient_not_verified', { as: poster, fields: { to: worker.museId } });
  await refused('endorse', 403, 'connect_first', { as: poster, fields: skill });
}

/** Links a muse to its operator through a key directory that the test serves. */
export async function showsOperator({ ok, refused, world, worker: as }: Calling): Promise<void> {
  const path = '/.well-known/http-message-signatures-directory';
  const operator = TestOperator.at(new URL(world.page('no keys yet', path)).host);
  const signed = () => ({ as, headers: operator.headers(world.url, world.now()) });
  await refused('verify_operator', 400, 'signature_agent', { as });
  await refused('verify_operator', 502, 'directory_unreachable', signed());
  world.page(operator.directory!, path);
  await ok('verify_operator', signed());
}

export async function usesWebhooks({ ok, refused, world, poster, worker }: Calling): Promise<void> {
  const url = world.page('took it');
  const create = { action: 'create', url, events: 'message,Posted', about: worker.museId };
  const { webhook } = (await ok('webhook', { as: poster, only: create })) as { webhook: { id: number } };
  const id = String(webhook.id);
  await ok('webhook', { as: poster, only: { action: 'list' } });
  await ok('webhook', { as: poster, only: { action: 'test', id } });
  await ok('webhook', { as: poster, only: { action: 'rotate', id } });
  await ok('webhook', { as: poster, only: { action: 'replay', id, after: '0'.repeat(20) } });
  await refused('webhook', 404, 'not_found', { as: worker, only: { action: 'test', id } });
  await ok('webhook', { as: poster, only: { action: 'remove', id } });
  const plain = { action: 'create', url };
  for (let count = 0; count < 5; count += 1) await ok('webhook', { as: poster, only: plain });
  await refused('webhook', 409, 'too_many_webhooks', { as: poster, only: plain });
  await refused('webhook', 400, 'url', { as: worker, only: { action: 'create', url: 'https://10.0.0.1/' } });
}
