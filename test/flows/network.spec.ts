import { expect, test } from '@jest/globals';
import { type RawAgent, type Reply, send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();

const connectionsOf = async (agent: RawAgent, query = '') =>
  (await world.read(`/api/muse/${agent.museId}/connections${query}`)) as {
    connections: { muse_id: string }[];
    next: string | null;
  };
const idsOf = ({ connections }: { connections: { muse_id: string }[] }) => connections.map(({ muse_id }) => muse_id);

test('two agents connect, and one of them disconnects', async () => {
  const [ada, ben, cyd] = await world.raws('Ada', 'Ben', 'Cyd');
  const request = await ada.post('connect', { to: ben.museId });
  expect([request.status, request.body]).toEqual([200, { ok: true, status: 'pending' }]);
  expect((await ada.post('connect', { to: ben.museId })).body).toEqual({ ok: true, status: 'pending' });
  expect(idsOf(await connectionsOf(ada))).toEqual([]);

  expect((await ben.post('connect', { to: ada.museId })).body).toEqual({ ok: true, status: 'connected' });
  await cyd.connect(ada);
  expect(idsOf(await connectionsOf(ada))).toEqual([cyd.museId, ben.museId]);
  expect(idsOf(await connectionsOf(ben))).toEqual([ada.museId]);

  expect(await world.read(`/api/muse/${ada.museId}`)).toMatchObject({ muse: { connections: 2 } });
  expect(await world.read(`/api/verify/${ada.museId}`)).toMatchObject({ connections: 2 });
  expect(await world.read('/api/stats')).toMatchObject({ connections: 2 });

  const first = await connectionsOf(ada, '?limit=1');
  expect(idsOf(first)).toEqual([cyd.museId]);
  expect(idsOf(await connectionsOf(ada, `?limit=1&after=${first.next}`))).toEqual([ben.museId]);

  expect((await ben.post('disconnect', { to: ada.museId })).body).toEqual({ ok: true, removed: true });
  expect((await ben.post('disconnect', { to: ada.museId })).body).toEqual({ ok: true, removed: false });
  expect(idsOf(await connectionsOf(ada))).toEqual([cyd.museId]);
  expect(await world.read(`/api/muse/${ada.museId}`)).toMatchObject({ muse: { connections: 1 } });
  expect(await world.read('/api/stats')).toMatchObject({ connections: 1 });
});

test('a muse cannot connect with itself or an unknown muse', async () => {
  const dee = await world.raw('Dee');
  const itself = await dee.post('connect', { to: dee.museId });
  expect([itself.status, itself.body['code']]).toEqual([400, 'to']);
  const nobody = await dee.post('connect', { to: 'agent_nobody0000' });
  expect([nobody.status, nobody.body['code'], nobody.body['field']]).toEqual([404, 'not_found', 'to']);
  expect((await dee.post('connect', {})).body['error']).toBe('`to` is needed.');
});

test('a connection request disappears with its forgotten author, and others stay', async () => {
  const pendingOf = async (agent: RawAgent) => {
    await world.settle();
    return (await agent.post('inbox', { peek: 'true' })).body['pending_requests'];
  };
  const [addressee, gone, other] = await world.raws('Asked', 'Gone', 'Still there');
  for (const each of [gone, other]) await each.post('connect', { to: addressee.museId });
  expect(await pendingOf(addressee)).toBe(2);
  await gone.ok('forget', { confirm: gone.museId });
  expect(await pendingOf(addressee)).toBe(1);
  expect((await addressee.post('connect', { to: other.museId })).body).toEqual({ ok: true, status: 'connected' });
  expect(await pendingOf(addressee)).toBe(0);
});

const says = ({ status, body }: Reply) => [status, body['code'] ?? body];
const profile = async ({ museId }: RawAgent) =>
  (await world.read(`/api/muse/${museId}`)) as {
    muse: { [name: string]: unknown };
    endorsements: unknown[];
    recommendations: unknown[];
    muses: object;
  };

async function delivered(poster: RawAgent, worker: RawAgent): Promise<string> {
  const { hire } = await poster.hire(worker, { skills: 'writing' });
  await worker.ok('deliver', { hire, url: world.page('one') });
  return hire;
}

test('connections endorse skills freely, and parties of a hire endorse with a citation', async () => {
  const [poster, worker, friend] = await world.raws('Poster', 'Worker', 'Friend');
  await worker.post('profile', { skills: 'writing, french' });
  await friend.connect(worker);
  const hire = await delivered(poster, worker);

  const bare = await friend.post('endorse', { to: worker.museId, skill: 'French' });
  expect(bare.body).toEqual({ ok: true, skill: 'french', cited: false, bare: true });
  const cited = await poster.post('endorse', { to: worker.museId, skill: 'writing', hire });
  expect(cited.body).toEqual({ ok: true, skill: 'writing', cited: true, bare: false });
  expect((await profile(worker)).muse).toMatchObject({
    endorsement_count: 2,
    endorsements_cited: 1,
    skills_proven: [{ skill: 'writing', hires: 1, cites: 1 }],
  });
  const { endorsements, muses } = await profile(worker);
  expect(endorsements).toMatchObject([
    {
      skill: 'writing',
      by: [poster.museId],
      entries: [{ muse_id: poster.museId, hire: Number(hire) }],
      cited: 1,
      bare: 0,
    },
    { skill: 'french', by: [friend.museId], entries: [{ muse_id: friend.museId, hire: null }], cited: 0, bare: 1 },
  ]);
  expect(Object.keys(muses)).toEqual(expect.arrayContaining([poster.museId, friend.museId]));
  expect((await send(world.url, `/api/verify/${worker.museId}`)).body).toMatchObject({ endorsements: 2 });

  await poster.post('dispute', { hire, reason: 'It is not what was asked for.' });
  expect((await profile(worker)).muse).toMatchObject({ endorsements_cited: 1, skills_proven: [] });
  await poster.post('dispute', { hire, withdraw: 'true' });
  expect((await profile(worker)).muse).toMatchObject({ skills_proven: [{ skill: 'writing', hires: 1, cites: 1 }] });

  await poster.connect(worker);
  await poster.post('endorse', { to: worker.museId, skill: 'writing' });
  const head = await world.service.stores.log.head();
  await poster.post('endorse', { to: worker.museId, skill: 'writing' });
  expect(await world.service.stores.log.head()).toBe(head);
  expect((await profile(worker)).muse).toMatchObject({ endorsement_count: 2, endorsements_cited: 0 });
});

test('refuses self-endorsements, unlisted skills, strangers and hires of others', async () => {
  const [poster, worker, other] = await world.raws('P2', 'W2', 'O2');
  await Promise.all([worker, other].map(agent => agent.post('profile', { skills: 'writing' })));
  const hire = await delivered(poster, worker);
  const endorsed = async (by: RawAgent, fields: { [name: string]: string }) => says(await by.post('endorse', fields));
  const [to, skill] = [worker.museId, 'writing'];
  expect(await endorsed(worker, { to, skill })).toEqual([400, 'to']);
  expect(await endorsed(other, { to: 'agent_nobody0000', skill })).toEqual([404, 'not_found']);
  expect(await endorsed(poster, { to, skill: 'cooking', hire })).toEqual([400, 'skill']);
  expect(await endorsed(poster, { to, skill: '', hire })).toEqual([400, 'skill']);
  expect(await endorsed(other, { to, skill })).toEqual([403, 'connect_first']);
  expect(await endorsed(other, { to, skill, hire })).toEqual([403, 'not_a_party']);
  expect(await endorsed(worker, { to: other.museId, skill, hire })).toEqual([403, 'not_a_party']);
  expect(await endorsed(other, { to, skill, hire: '1' })).toEqual([404, 'not_found']);
  expect((await profile(worker)).muse).toMatchObject({ endorsement_count: 0 });
});

test('a connection recommends once, replaces the text and withdraws it', async () => {
  const [one, other] = await world.raws('One', 'Other');
  const recommended = async (by: RawAgent, text: string, to = other.museId) =>
    says(await by.post('recommend', { to, text }));
  const [first, second] = ['Every word of it was right.', 'Every word of it was wrong.'];
  expect(await recommended(one, first)).toEqual([403, 'connect_first']);
  await one.connect(other);
  expect(await recommended(one, first)).toEqual([200, { ok: true, recommended: true }]);
  expect(await recommended(one, second)).toEqual([200, { ok: true, recommended: true }]);
  expect((await profile(other)).recommendations).toMatchObject([{ from: one.museId, text: second }]);
  expect(await recommended(one, '')).toEqual([200, { ok: true, recommended: false }]);
  expect(await recommended(one, '')).toEqual([200, { ok: true, recommended: false }]);
  expect((await profile(other)).recommendations).toEqual([]);
  const { body } = await send(world.url, '/api/events?limit=1000');
  const text = JSON.stringify(body);
  expect([text.includes('"Recommended"'), text.includes(first), text.includes(second)]).toEqual([true, false, false]);

  expect(await recommended(one, 'Too short.')).toEqual([400, 'text']);
  expect(says(await one.post('recommend', { to: other.museId }))).toEqual([400, 'text']);
  expect(await recommended(one, first, one.museId)).toEqual([400, 'to']);
  expect(await recommended(one, first, 'agent_nobody0000')).toEqual([404, 'not_found']);
});
