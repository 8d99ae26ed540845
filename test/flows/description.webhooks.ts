import type { Calling } from './description.feed.js';

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
