import { describe, expect, test } from '@jest/globals';
import { type RawAgent, type Reply, textOf } from '../raw-agent.js';
import { waitUntil } from '../wait-until.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();
const says = ({ status, body }: Reply) => [status, body['code'] ?? 'ok'];
const linked = async (earlier: RawAgent, now: RawAgent) =>
  expect(await now.link(earlier)).toMatchObject({ status: 200 });
const texts = (name: string) => ({ name, one_line: 'A line of it.', about: 'What one needs to know.' });
const createProject = async (by: RawAgent, name: string, more = {}) =>
  textOf(await by.ok('project', { ...texts(name), ...more }), 'slug');
const projectOf = async (slug: string) => await world.read(`/api/project/${slug}`);
const statusOf = async (slug: string) => ((await projectOf(slug))['project'] as { readonly status: string }).status;
const membersOf = async (slug: string) =>
  ((await world.read(`/api/crew/${slug}`))['crew'] as { readonly members: string[] }).members;
describe('the newer identity in projects', () => {
  test('changes a project of the earlier one, posts jobs for it and leaves it', async () => {
    const [earlier, now, heir, stranger] = await world.raws('Founder A', 'Founder A now', 'Heir A', 'Stranger A');
    const project = await createProject(earlier, 'Led on A', { co_founder: heir.museId });
    const role = await earlier.postJob({ project });
    await linked(earlier, now);
    await waitUntil(async () => (await world.eventTypes(`job-${role}`)).includes('JobClosed'));

    expect(await now.post('project_update', { project, milestone: 'Chapter 1' })).toMatchObject({
      status: 200,
      body: { changed: ['milestone'] },
    });
    expect(await world.newest(`project-${project}`, 'ProjectUpdated')).toMatchObject({
      actor: now.museId,
      data: { founder: earlier.museId },
    });
    expect(says(await stranger.post('project_update', { project, milestone: 'Mine' }))).toEqual([
      403,
      'not_the_founder',
    ]);
    expect(says(await now.post('project_join', { project }))).toEqual([200, 'ok']);
    expect(says(await now.post('job', { again_of: role, project }))).toEqual([200, 'ok']);
    expect(says(await now.buy('job', { again_of: role, project, budget_usd: '2' }))).toEqual([200, 'ok']);
    expect(await projectOf(project)).toMatchObject({
      project: { status: 'active', founder: earlier.museId, members: 1, jobs: 3 },
    });
    expect(says(await now.post('project_leave', { project }))).toEqual([409, 'founder_needed']);
    await heir.ok('project_join', { project });
    expect(await now.post('project_leave', { project })).toMatchObject({ body: { left: true } });
    expect(await world.newest(`project-${project}`, 'ProjectLeft')).toMatchObject({
      actor: now.museId,
      data: { muse_id: earlier.museId, heir: heir.museId },
    });
    expect(await projectOf(project)).toMatchObject({
      project: { founder: heir.museId, members: 1 },
      history: [{ kind: 'left', muse_id: earlier.museId }, {}, {}, {}, {}, {}, {}],
    });
    const foundersOf = async ({ museId }: RawAgent) =>
      ((await world.read(`/api/muse/${museId}`))['muse'] as { readonly founder: boolean }).founder;
    expect(await Promise.all([earlier, now, heir].map(foundersOf))).toEqual([false, false, true]);
    expect(says(await now.post('project_update', { project, milestone: 'Mine' }))).toEqual([403, 'not_the_founder']);
  });

  test('joins as the earlier one where that one was named as co-founder', async () => {
    const [founder, earlier, now] = await world.raws('Founder B', 'Named B', 'Named B now');
    const project = await createProject(founder, 'Named B too', { co_founder: earlier.museId });
    await linked(earlier, now);
    const update = async () => says(await now.post('project_update', { project, needs: 'Hands' }));
    expect(await update()).toEqual([403, 'not_the_founder']);
    await now.ok('project_join', { project });
    await now.ok('project_join', { project });
    expect(await update()).toEqual([200, 'ok']);
    expect(await projectOf(project)).toMatchObject({
      members: [
        { muse_id: founder.museId, role: 'founder' },
        { muse_id: earlier.museId, role: 'co_founder' },
      ],
    });
  });
});

test('a project is archived when both identities of its last leader are forgotten', async () => {
  const [one, oneNow, two, twoNow] = await world.raws('One C', 'One C now', 'Two C', 'Two C now');
  const [first, second] = [await createProject(one, 'First C'), await createProject(two, 'Second C')];
  await linked(one, oneNow);
  await linked(two, twoNow);
  const forget = async (by: RawAgent) => {
    await by.ok('forget', { confirm: by.museId });
    await world.settle();
  };
  await forget(one);
  await forget(twoNow);
  expect(await Promise.all([first, second].map(statusOf))).toEqual(['active', 'active']);
  expect(says(await oneNow.post('project_update', { project: first, needs: 'Hands' }))).toEqual([200, 'ok']);
  await forget(oneNow);
  await forget(two);
  for (const slug of [first, second]) await waitUntil(async () => (await statusOf(slug)) === 'archived');
});

describe('the newer identity in crews', () => {
  test('invites, joins, declines and leaves for the earlier one', async () => {
    const [earlier, now, friend, host] = await world.raws('Member D', 'Member D now', 'Friend D', 'Host D');
    const crewOf = async (by: RawAgent, name: string) => textOf(await by.ok('crew', { name }), 'slug');
    const own = await crewOf(earlier, 'Own D');
    const [joined, declined] = [await crewOf(host, 'Joined D'), await crewOf(host, 'Declined D')];
    for (const crew of [joined, declined]) await host.ok('crew_invite', { crew, to: earlier.museId });
    await linked(earlier, now);

    expect(await now.post('crew_invite', { crew: own, to: friend.museId })).toMatchObject({
      body: { status: 'invited' },
    });
    expect(await world.newest(`crew-${own}`, 'CrewInvited')).toMatchObject({
      actor: now.museId,
      data: { by: earlier.museId, to: friend.museId },
    });
    expect(await now.post('crew_invite', { crew: own, to: friend.museId, withdraw: 'true' })).toMatchObject({
      body: { status: 'withdrawn' },
    });
    expect(says(await now.post('crew_invite', { crew: own, to: earlier.museId }))).toEqual([409, 'recipient_linked']);
    const steps = (await now.ok('whoami')).body['next'] as unknown as readonly { readonly body?: object }[];
    expect(steps.map(({ body }) => body)).toEqual(expect.arrayContaining([{ crew: joined }, { crew: declined }]));
    expect(says(await now.post('crew_join', { crew: own }))).toEqual([200, 'ok']);
    expect(await membersOf(own)).toEqual([earlier.museId]);
    expect(says(await now.post('crew_join', { crew: joined }))).toEqual([200, 'ok']);
    expect(await membersOf(joined)).toEqual([host.museId, earlier.museId]);
    expect(await now.post('crew_leave', { crew: declined })).toMatchObject({ body: { left: false, declined: true } });
    expect(says(await now.post('crew_join', { crew: declined }))).toEqual([403, 'not_invited']);
    const role = await host.postJob();
    expect(says(await now.post('apply', { role, note: 'We can.', crew: own }))).toEqual([200, 'ok']);
    expect(await now.post('crew_leave', { crew: own })).toMatchObject({ body: { left: true } });
    expect(await membersOf(own)).toEqual([]);
    expect(says(await friend.post('crew_invite', { crew: joined, to: now.museId }))).toEqual([403, 'not_a_member']);
  });
});
