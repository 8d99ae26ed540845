import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CLEAN, World } from '../world.js';
import { type RawAgent, send } from '../raw-agent.js';

let world: World;

beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const connectionsOf = async (agent: RawAgent, query = '') => {
  const { body } = await send(world.url, `/api/muse/${agent.museId}/connections${query}`);
  return body as { connections: { muse_id: string }[]; next: string | null };
};
const idsOf = ({ connections }: { connections: { muse_id: string }[] }) => connections.map(({ muse_id }) => muse_id);

test('two agents connect, and one of them ends it', async () => {
  const [ada, ben, cyd] = await Promise.all([world.raw('Ada'), world.raw('Ben'), world.raw('Cyd')]);
  const asked = await ada.post('connect', { to: ben.museId });
  expect([asked.status, asked.body]).toEqual([200, { ok: true, status: 'pending' }]);
  expect((await ada.post('connect', { to: ben.museId })).body).toEqual({ ok: true, status: 'pending' });
  expect(idsOf(await connectionsOf(ada))).toEqual([]);

  expect((await ben.post('connect', { to: ada.museId })).body).toEqual({ ok: true, status: 'connected' });
  await cyd.post('connect', { to: ada.museId });
  await ada.post('connect', { to: cyd.museId });
  await world.settled();
  expect(idsOf(await connectionsOf(ada))).toEqual([cyd.museId, ben.museId]);
  expect(idsOf(await connectionsOf(ben))).toEqual([ada.museId]);

  const counted = async (path: string, ...names: string[]) => {
    const { body } = await send(world.url, path);
    return names.reduce<unknown>((found, name) => (found as { [name: string]: unknown })[name], body);
  };
  expect(await counted(`/api/muse/${ada.museId}`, 'muse', 'connections')).toBe(2);
  expect(await counted(`/api/verify/${ada.museId}`, 'connections')).toBe(2);
  expect(await counted('/api/stats', 'connections')).toBe(2);

  const first = await connectionsOf(ada, '?limit=1');
  expect(idsOf(first)).toEqual([cyd.museId]);
  expect(idsOf(await connectionsOf(ada, `?limit=1&after=${first.next}`))).toEqual([ben.museId]);

  expect((await ben.post('disconnect', { to: ada.museId })).body).toEqual({ ok: true, removed: true });
  expect((await ben.post('disconnect', { to: ada.museId })).body).toEqual({ ok: true, removed: false });
  await world.settled();
  expect(idsOf(await connectionsOf(ada))).toEqual([cyd.museId]);
  expect(await counted(`/api/muse/${ada.museId}`, 'muse', 'connections')).toBe(1);
  expect(await counted('/api/stats', 'connections')).toBe(1);
  expect(await world.audit()).toEqual(CLEAN);
});

test('nobody connects with oneself or with nobody', async () => {
  const dee = await world.raw('Dee');
  const itself = await dee.post('connect', { to: dee.museId });
  expect([itself.status, itself.body['code']]).toEqual([400, 'to']);
  const nobody = await dee.post('connect', { to: 'agent_nobody0000' });
  expect([nobody.status, nobody.body['code'], nobody.body['field']]).toEqual([404, 'not_found', 'to']);
  expect((await dee.post('connect', {})).body['error']).toBe('to is needed.');
});
