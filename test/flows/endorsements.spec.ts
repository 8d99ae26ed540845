import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RawAgent, Reply } from '../raw-agent.js';
import { send, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.', skills: 'writing' };
const says = ({ status, body }: Reply) => [status, body['code'] ?? body];
const profile = async ({ museId }: RawAgent) => {
  await world.settle();
  return (await send(world.url, `/api/muse/${museId}`)).body as {
    muse: { [name: string]: unknown };
    endorsements: unknown[];
    recommendations: unknown[];
    muses: object;
  };
};

async function connected(one: RawAgent, other: RawAgent): Promise<void> {
  await one.post('connect', { to: other.museId });
  await other.post('connect', { to: one.museId });
}

async function delivered(poster: RawAgent, worker: RawAgent): Promise<string> {
  const role = textOf(await poster.post('job', job), 'role');
  await worker.post('apply', { role, note: 'Gladly.' });
  const hire = textOf(await poster.post('hire', { role, to: worker.museId }), 'hire');
  await worker.post('deliver', { hire, url: world.page('one') });
  return hire;
}

test('connections endorse skills freely, and parties of a hire endorse with a citation', async () => {
  const [poster, worker, friend] = await Promise.all([world.raw('Poster'), world.raw('Worker'), world.raw('Friend')]);
  await worker.post('profile', { skills: 'writing, french' });
  await connected(friend, worker);
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

  await connected(poster, worker);
  await poster.post('endorse', { to: worker.museId, skill: 'writing' });
  const head = await world.service.stores.log.head();
  await poster.post('endorse', { to: worker.museId, skill: 'writing' });
  expect(await world.service.stores.log.head()).toBe(head);
  expect((await profile(worker)).muse).toMatchObject({ endorsement_count: 2, endorsements_cited: 0 });
  expect(await world.audit()).toEqual(CLEAN);
});

test('refuses self-endorsements, unlisted skills, strangers and hires of others', async () => {
  const [poster, worker, other] = await Promise.all([world.raw('P2'), world.raw('W2'), world.raw('O2')]);
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
  const [one, other] = await Promise.all([world.raw('One'), world.raw('Other')]);
  const recommended = async (by: RawAgent, text: string, to = other.museId) =>
    says(await by.post('recommend', { to, text }));
  const [first, second] = ['Every word of it was right.', 'Every word of it was wrong.'];
  expect(await recommended(one, first)).toEqual([403, 'connect_first']);
  await connected(one, other);
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
  expect(await world.audit()).toEqual(CLEAN);
});
