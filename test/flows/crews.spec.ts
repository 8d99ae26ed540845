import { expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { type RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();

const refused = ({ status, body }: Reply) => [status, body['code'], body['field']];
const crewOf = async (slug: string) => (await world.read(`/api/crew/${slug}`))['crew'] as JsonObject;

test('a member founds a crew, invites others, applies with it and leaves', async () => {
  const [ada, ben, poster] = await world.raws('Ada', 'Ben', 'Poster');
  const founded = await ada.post('crew', { name: 'Night shift' });
  expect(founded.body).toEqual({ ok: true, slug: 'night-shift', url: '/api/crew/night-shift' });
  const crew = 'night-shift';

  const join = (by: RawAgent) => by.post('crew_join', { crew });
  expect(refused(await join(ben))).toEqual([403, 'not_invited', undefined]);
  const invited = { ok: true, crew, to: ben.museId, status: 'invited' };
  expect((await ada.post('crew_invite', { crew, to: ben.museId })).body).toEqual(invited);
  expect((await ada.post('crew_invite', { crew, to: ben.museId })).body).toEqual(invited);
  await world.settle();
  const next = async () => (await ben.post('whoami')).body['next'] as JsonObject[];
  expect((await next())[0]).toMatchObject({ do: 'crew_join', endpoint: '/api/crew_join', body: { crew } });
  const takenBack = { ...invited, status: 'withdrawn' };
  const withdraw = () => ada.post('crew_invite', { crew, to: ben.museId, withdraw: 'true' });
  expect((await withdraw()).body).toEqual(takenBack);
  expect((await withdraw()).body).toEqual(takenBack);
  await world.settle();
  expect((await next()).map(step => step['do'])).not.toContain('crew_join');
  expect(refused(await join(ben))).toEqual([403, 'not_invited', undefined]);
  expect((await ada.post('crew_invite', { crew, to: ben.museId })).body).toEqual(invited);
  expect((await join(ben)).body).toEqual({ ok: true, crew, joined: true });
  expect((await join(ben)).body).toEqual({ ok: true, crew, joined: true });
  expect((await ada.post('crew_invite', { crew, to: ben.museId })).body).toMatchObject({ status: 'member' });
  expect((await withdraw()).body).toMatchObject({ status: 'member' });
  await world.settle();
  expect((await next()).map(step => step['do'])).not.toContain('crew_join');

  const crews = ['Dawn shift', 'Early shift', 'Late shift', 'Last shift'];
  for (const name of crews) {
    const slug = textOf(await ada.post('crew', { name }), 'slug');
    await ada.post('crew_invite', { crew: slug, to: ben.museId });
  }
  await world.settle();
  const invitations = async () =>
    (await next()).filter(step => step['do'] === 'crew_join').map(step => (step['body'] as JsonObject)['crew']);
  expect(await invitations()).toEqual(['last-shift', 'late-shift', 'early-shift']);
  const decline = () => ben.post('crew_leave', { crew: 'late-shift' });
  expect((await decline()).body).toEqual({ ok: true, crew: 'late-shift', left: false, declined: true });
  expect((await decline()).body).toEqual({ ok: true, crew: 'late-shift', left: false });
  await world.settle();
  expect(await invitations()).toEqual(['last-shift', 'early-shift', 'dawn-shift']);
  expect(await world.read(`/api/crew/${crew}`)).toEqual({
    ok: true,
    crew: {
      slug: crew,
      name: 'Night shift',
      founder: ada.museId,
      members: [ada.museId, ben.museId],
      created_at: expect.any(Number),
    },
    muses: { [ada.museId]: expect.anything(), [ben.museId]: expect.anything() },
  });

  const role = await poster.postJob();
  const apply = (by: RawAgent, named: string) => by.post('apply', { role, note: 'With my crew.', crew: named });
  expect((await apply(ben, crew)).status).toBe(200);
  expect(refused(await apply(ben, 'no-crew'))).toEqual([404, 'not_found', 'crew']);
  const other = await world.raw('Other');
  expect(refused(await apply(other, crew))).toEqual([403, 'not_a_member', 'crew']);
  expect((await world.read(`/api/role/${role}`))['applications']).toMatchObject([{ muse_id: ben.museId, crew }]);
  const { position } = (await poster.post('hire', { role, to: ben.museId })).body as { position: JsonObject };
  expect(position).toMatchObject({ status: 'hired', crew });
  expect(await world.read(`/api/muse/${ben.museId}`)).toMatchObject({
    muse: { crews: [{ slug: crew, name: 'Night shift' }] },
    positions: [{ status: 'hired', crew }],
  });

  expect((await ada.post('crew_leave', { crew })).body).toEqual({ ok: true, crew, left: true });
  expect((await ada.post('crew_leave', { crew })).body).toEqual({ ok: true, crew, left: false });
  expect(refused(await join(ada))).toEqual([403, 'not_invited', undefined]);
  expect(refused(await ada.post('crew_invite', { crew, to: other.museId }))).toEqual([403, 'not_a_member', undefined]);
  expect(await crewOf(crew)).toMatchObject({ founder: ada.museId, members: [ben.museId] });
  await ben.post('crew_invite', { crew, to: ada.museId });
  expect((await join(ada)).status).toBe(200);
  expect(await crewOf(crew)).toMatchObject({ members: [ben.museId, ada.museId] });
});

test('names the field of an unknown crew or muse', async () => {
  const [eve, fay] = await world.raws('Eve', 'Fay');
  const crew = textOf(await eve.post('crew', { name: 'Day shift' }), 'slug');
  expect(refused(await fay.post('crew', { name: 'Day  Shift!' }))).toEqual([409, 'slug_taken', 'name']);
  expect(refused(await fay.post('crew', { name: 'Other', slug: crew }))).toEqual([409, 'slug_taken', 'slug']);
  expect(textOf(await fay.post('crew', { name: '夜勤' }), 'slug')).toMatch(/^crew-[0-9]{12}$/);
  expect(refused(await fay.post('crew', { name: 'x' }))).toEqual([400, 'name', 'name']);
  for (const command of ['crew_join', 'crew_leave'])
    expect(refused(await fay.post(command, { crew: 'nothing' }))).toEqual([404, 'not_found', 'crew']);
  const invite = async (fields: { [name: string]: string }) => refused(await eve.post('crew_invite', fields));
  expect(await invite({ crew: 'nothing', to: fay.museId })).toEqual([404, 'not_found', 'crew']);
  expect(await invite({ crew, to: eve.museId })).toEqual([400, 'to', 'to']);
  expect(await invite({ crew, to: 'agent_nobody0000' })).toEqual([404, 'not_found', 'to']);
  const nowhere = await send(world.url, '/api/crew/nothing');
  expect([nowhere.status, nowhere.body['code']]).toEqual([404, 'not_found']);
});
