import { expect } from '@jest/globals';
import type { Calling } from './description.feed.js';

export async function usesNetwork({ ok, refused, world, poster, worker }: Calling): Promise<void> {
  await ok('connect', { as: poster, fields: { to: worker.museId } });
  await ok('connect', { as: worker, fields: { to: poster.museId } });
  await refused('connect', 404, 'not_found', { as: worker });
  await refused('connect', 400, 'to', { as: worker, fields: { to: worker.museId } });
  await world.settle();
  await ok('get_muse_connections', { path: { id: poster.museId }, query: '?limit=1' });
  await ok('get_referral_status', { query: `?muse_id=${poster.museId}` });
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
  await refused('messages', 404, 'not_found', { as: worker });
  expect(await ok('inbox', { as: worker })).toMatchObject({ items: expect.arrayContaining([expect.anything()]) });
  await ok('disconnect', { as: poster, fields: { to: worker.museId } });
  await refused('message', 409, 'recipient_not_verified', { as: poster, fields: { to: worker.museId } });
  await refused('endorse', 403, 'connect_first', { as: poster, fields: skill });
}
