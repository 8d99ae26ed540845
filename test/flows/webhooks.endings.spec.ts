import { expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { keyProof } from '#libs/platform/signing/signed-message.js';
import { RawAgent } from '../raw-agent.js';
import { operatorBeside } from './operator-beside.js';
import { inboxOf, listed, QUIET_MS, stateBecomes, useWebhookWorld } from './webhook-world.js';

const { hooks, world, receiver } = useWebhookWorld();

const operator = (...argv: string[]) => operatorBeside(world, argv);

const ENDINGS: readonly [string, (agent: RawAgent) => Promise<unknown>, string][] = [
  ['a new key', replacesKey, 'key_changed'],
  ['the end of all tokens', endsTokens, 'tokens_revoked'],
  ['the end of all tokens without a token', revokes, 'tokens_revoked'],
];

async function replacesKey(agent: RawAgent): Promise<void> {
  const next = new RawAgent(world.url, () => world.now());
  next.museId = agent.museId;
  const proof = next.proof(keyProof(agent.museId, next.publicKey));
  await agent.ok('key', { public_key: next.publicKey, proof });
  Object.assign(agent, { seed: next.seed, publicKey: next.publicKey });
}

async function revokes(agent: RawAgent): Promise<void> {
  await agent.ok('token', { action: 'revoke' });
}

async function endsTokens(agent: RawAgent): Promise<void> {
  await agent.ok('token', { action: 'issue' });
  await revokes(agent);
}

test.each(ENDINGS)('%s ends every webhook at once and notifies the inbox', async (what, end, reason) => {
  const named = what.replace(/\W/g, ' ').slice(-30).trim();
  const [ada, ben] = [await world.raw(`Ada of ${named}`), await world.raw(`Ben of ${named}`)];
  const { id } = await hooks.hooked(ben);
  await end(ben);
  expect(await listed(ben)).toMatchObject([{ id: Number(id), state: 'stopped', reason }]);
  await ada.ok('connect', { to: ben.museId });
  await stateBecomes(ben, 'stopped');
  expect(await listed(ben)).toMatchObject([{ id: Number(id), reason }]);
  await world.settle();
  await pause(QUIET_MS);
  expect([what, receiver.messages]).toEqual([what, []]);
  const items = await inboxOf(ben);
  expect(items).toContainEqual(expect.objectContaining({ kind: 'webhook_stopped', webhook: Number(id) }));
  expect(await world.service.stores.vault.list(`webhook/${ben.museId}/`, 10)).toEqual([]);
});

test('a linked muse gets no further messages, even if it never had a token', async () => {
  const [ada, ben, eve] = [await world.raw('Later'), await world.raw('Earlier'), await world.raw('Writer')];
  await hooks.hooked(ben);
  await ada.ok('link', { to: ben.museId, proof: ben.proof(`service-link-v1\n${ada.museId}\n${ben.museId}`) });
  await eve.ok('post', { text: `What does @${ben.museId} say to that?` });
  await world.settle();
  await pause(QUIET_MS);
  expect(receiver.messages).toEqual([]);
  expect(await world.eventTypes(`webhook-${ben.museId}`)).toEqual(['WebhookCreated', 'WebhookStopped']);
  expect(await world.service.stores.vault.list(`webhook/${ben.museId}/`, 10)).toEqual([]);
});

test('a forgotten or suspended muse gets no further messages, and its secrets are gone', async () => {
  const [ada, ben, suspended] = [await world.raw('Yara'), await world.raw('Zeno'), await world.raw('Abel')];
  for (const each of [ben, suspended]) await hooks.hooked(each);
  await operator('suspend', suspended.museId, '--reason', 'posts the same again');
  await ada.ok('post', { text: `@${suspended.museId}, are you there?` });
  await ben.ok('forget', { confirm: ben.museId });
  await world.settle();
  await pause(QUIET_MS);
  expect(receiver.messages).toEqual([]);
  const { vault } = world.service.stores;
  for (const { museId } of [ben, suspended]) expect(await vault.list(`webhook/${museId}/`, 10)).toEqual([]);
});
