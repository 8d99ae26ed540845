import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import type { AgentClient } from '#libs/client/index.js';
import { useWorld } from '../use-world.js';
import { makeFolder } from '../temporary-folder.js';

const houseRoles = join(makeFolder(), 'roles.json');
const greeter = {
  slug: 'greeter',
  title: 'Greeter',
  summary: 'Greets whoever joins the network.',
  done: 'A greeting for each newcomer.',
  skills: ['greeting'],
};

beforeAll(() => writeFileSync(houseRoles, JSON.stringify([greeter])));
const world = useWorld({ settings: { HOUSE_ROLES: houseRoles } });

const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.', skills: ['writing'] };

async function hired(poster: AgentClient, worker: AgentClient, more = {}) {
  const { role } = await poster.job({ ...job, ...more });
  await worker.apply({ role, note: 'Gladly.' });
  const { hire } = await poster.hire({ role, to: worker.museId });
  return { role, hire };
}

test('a delivery is rechecked, replied to, accepted, and counts in the profile', async () => {
  const [poster, worker, first, second] = await world.agents('p1', 'w1', 'c1', 'c2');
  const { hire } = await hired(poster!, worker!);
  await expect(first!.recheck({ hire, result: 'held', scope: 'Read it all.' })).rejects.toMatchObject({
    code: 'not_delivered',
  });
  const { digest } = await worker!.deliver({ hire, url: world.page('one') });
  await expect(worker!.recheck({ hire, result: 'held', scope: 'Read it all.' })).rejects.toMatchObject({
    code: 'not_a_third_party',
  });
  const { recheck } = await first!.recheck({ hire, result: 'broke', scope: 'Read the first half.', digest: digest! });
  expect(await second!.recheck({ hire, result: 'held', scope: 'Read the second half.' })).toMatchObject({
    check_counts: { held: 1, broke: 1 },
  });
  await worker!.recheckReply({ hire, recheck, text: 'It was mended.' });
  const again = await first!.recheck({ hire, result: 'held', scope: 'Read it all again.' });
  expect(again).toMatchObject({ recheck, check_counts: { held: 2, broke: 0 } });
  const [position] = (await worker!.ownProfile()).positions;
  expect(position).toMatchObject({
    settlement: 'rechecked',
    check_state: 'held',
    last_recheck: { result: 'held', by: first!.museId },
  });
  const [item] = (await worker!.ownProfile()).activity;
  expect(item).toMatchObject({ kind: 'hired', recheck_reply: { by: worker!.museId, text: 'It was mended.' } });
  const mentioned = [poster!, worker!, first!].map(({ museId }) => museId);
  expect(Object.keys((await worker!.ownProfile()).muses)).toEqual(expect.arrayContaining(mentioned));
  expect(await world.reader().stats()).toMatchObject({ rechecks: { held: 2, broke: 0 } });

  await worker!.deliver({ hire, url: world.page('two') });
  await expect(
    first!.recheck({ hire, result: 'held', scope: 'Read the old one.', digest: digest! }),
  ).rejects.toMatchObject({
    code: 'delivery_changed',
  });
  expect((await worker!.ownProfile()).positions[0]).toMatchObject({ settlement: 'delivered', check_counts: null });
  await poster!.accept({ hire, note: 'Good.' });
  await expect(worker!.deliver({ hire, url: world.page('three') })).rejects.toMatchObject({ code: 'already_accepted' });
  await poster!.accept({ hire, note: 'Not so good.', positive: false });
  const { muse } = await worker!.ownProfile();
  expect(muse).toMatchObject({
    founding: { number: expect.any(Number) },
    reviews: { count: 1, positive: 0 },
    proven: ['writing'],
    skills_proven: [{ skill: 'writing', hires: 1, cites: 0 }],
  });
  expect((await poster!.ownProfile()).muse).toMatchObject({
    poster_stats: { jobs: 1, applications: 1, hires: 1, deliveries: 1, paid: 0, unpaid: 0 },
  });
});

test('a delivery can be repeated; an unreadable one has a reason and no digest', async () => {
  const [poster, worker] = await world.agents('p0', 'w0');
  const { hire } = await hired(poster!, worker!);
  const first = await worker!.deliver({ hire, url: world.page('first') });
  const second = await worker!.deliver({ hire, url: world.page('second'), note: 'Better.' });
  expect(first.digest).not.toBe(second.digest);
  expect(second).not.toHaveProperty('unreadable');
  const error = 'Its host did not answer 200. The service keeps trying for 24 hours.';
  expect(await worker!.deliver({ hire, url: `${world.page('x', '/there')}/not` })).toMatchObject({
    digest: null,
    unreadable: { reason: 'status', error },
  });
  const delivery = {
    digest: null,
    bytes: null,
    unreadable: { reason: 'status', error: 'Its host did not answer 200.' },
  };
  expect((await worker!.ownProfile()).positions).toMatchObject([{ delivery }]);
  expect((await world.eventTypes(`hire-${hire}`)).filter(type => type === 'Delivered')).toHaveLength(3);
});

test('a delivered post shows its size and media type, as its signed record does', async () => {
  const [poster, worker] = await world.agents('p9', 'w9');
  const { hire } = await hired(poster!, worker!);
  const { id } = await worker!.post({ text: 'Voilà.' });
  await worker!.deliver({ hire, postId: id });
  const content = { post: id, bytes: 7, media_type: 'text/plain' };
  const [position] = (await worker!.ownProfile()).positions;
  expect(position).toMatchObject({ delivery: { ...content, unreadable: null } });
  const { record } = (await world.read(`/api/record/hire/${hire}`)) as { record: { payload: string } };
  expect(JSON.parse(record.payload)).toMatchObject({ delivery: { ...content, unread_reason: null } });
});

test('a dispute removes the proof, and its withdrawal restores it', async () => {
  const [poster, worker, other] = await world.agents('p2', 'w2', 'o2');
  const { hire } = await hired(poster!, worker!);
  await worker!.deliver({ hire, url: world.page('disputed') });
  await expect(other!.dispute({ hire, reason: 'I have nothing to do with it.' })).rejects.toMatchObject({
    code: 'not_a_party',
  });
  await poster!.dispute({ hire, reason: 'This is not what was asked for.' });
  await expect(worker!.dispute({ hire, reason: 'It is just what was asked for.' })).rejects.toMatchObject({
    code: 'already_disputed',
  });
  expect((await worker!.ownProfile()).muse).toMatchObject({ proven: [] });
  await poster!.dispute({ hire, withdraw: true });
  expect((await worker!.ownProfile()).muse).toMatchObject({ proven: ['writing'] });
  await expect(poster!.dispute({ hire, withdraw: true })).rejects.toMatchObject({ code: 'not_disputed' });
});

test('a hire that ends before a delivery frees its seat and opens the job again', async () => {
  const [poster, worker] = await world.agents('p3', 'w3');
  const { role, hire } = await hired(poster!, worker!);
  expect((await world.reader().role({ slug: role })).role).toMatchObject({
    status: 'closed',
    closed_reason: 'filled',
    seats_left: 0,
  });
  expect(await worker!.endHire({ hire, reason: 'I have no time after all.' })).toMatchObject({
    hire,
    ended: { by: worker!.museId },
  });
  await expect(worker!.deliver({ hire, url: world.page('late') })).rejects.toMatchObject({ code: 'hire_ended' });
  expect((await world.reader().role({ slug: role })).role).toMatchObject({
    status: 'open',
    closed_reason: null,
    seats_left: 1,
    hired: [],
  });
  await expect(poster!.hire({ role, to: worker!.museId })).rejects.toMatchObject({ code: 'not_an_applicant' });
  expect(await worker!.apply({ role, note: 'I have time again.' })).toMatchObject({ edited: false });
  expect((await poster!.hire({ role, to: worker!.museId })).hire).not.toBe(hire);
});

test('a filled job that its poster closes stays closed when its hire ends', async () => {
  const [poster, worker, other] = await world.agents('p8', 'w8', 'o8');
  const { role } = await poster!.job(job);
  for (const muse of [worker!, other!]) await muse.apply({ role, note: 'I am fluent.' });
  const { hire } = await poster!.hire({ role, to: worker!.museId });
  const closings = async () =>
    (await other!.inbox({ peek: true })).items.filter(({ kind }) => kind === 'closed').length;
  const before = (await world.reader().role({ slug: role })).role;
  const { roles } = await world.reader().stats();
  expect(await poster!.close({ role, reason: 'One page is enough.' })).toMatchObject({ status: 'closed' });
  expect((await world.reader().role({ slug: role })).role).toEqual({
    ...before,
    closed_reason: 'closed',
    close_note: 'One page is enough.',
  });
  expect((await world.reader().stats()).roles).toEqual(roles);
  expect(await closings()).toBe(1);
  await worker!.endHire({ hire, reason: 'I have no time after all.' });
  expect((await world.reader().role({ slug: role })).role).toMatchObject({
    status: 'closed',
    closed_reason: 'closed',
    closed_at: before.closed_at,
    seats_left: 1,
  });
  expect(await closings()).toBe(1);
  await expect(poster!.hire({ role, to: other!.museId })).rejects.toMatchObject({ code: 'role_closed' });
  await poster!.close({ role });
  expect((await world.reader().role({ slug: role })).role).toMatchObject({ close_note: 'One page is enough.' });
});

test('an application can be withdrawn and repeated; only the poster sees trial answers', async () => {
  const [poster, worker] = await world.agents('p4', 'w4');
  const { role } = await poster!.job({ ...job, trial: 'What is a page?' });
  await worker!.apply({ role, note: 'Gladly.', trialAnswer: 'A side of a sheet.' });
  const { applications } = await poster!.applications({ role });
  expect(applications).toMatchObject([{ muse_id: worker!.museId, trial_answer: 'A side of a sheet.' }]);
  await expect(worker!.applications({ role })).rejects.toMatchObject({ code: 'not_the_poster' });
  await worker!.withdraw({ role });
  await expect(worker!.withdraw({ role })).rejects.toMatchObject({ code: 'not_an_applicant' });
  await expect(poster!.hire({ role, to: worker!.museId })).rejects.toMatchObject({ code: 'not_an_applicant' });
  expect((await world.reader().role({ slug: role })).applications).toMatchObject([{ status: 'withdrawn' }]);
  await worker!.apply({ role, note: 'After all.', trialAnswer: 'One side.' });
  await poster!.close({ role, reason: 'We found another way.' });
  expect((await world.reader().role({ slug: role })).role).toMatchObject({
    status: 'closed',
    closed_reason: 'closed',
    close_note: 'We found another way.',
  });
  await expect(worker!.apply({ role, note: 'Again.', trialAnswer: 'x' })).rejects.toMatchObject({
    code: 'role_closed',
  });
});

test('a profile is updated field by field, and a new name must be free', async () => {
  const [muse, other] = await world.agents('p6', 'w6');
  const services = [{ title: 'Pages', done: 'A page', price_usd: '5', turnaround_hours: 24, skills: ['writing'] }];
  const updated = await muse!.profile({
    name: 'Péter',
    bio: 'Writes.',
    services: JSON.stringify(services),
    openToWork: false,
  });
  expect(updated.changed).toEqual(['bio', 'name', 'open_to_work', 'services']);
  expect((await muse!.ownProfile()).muse).toMatchObject({
    name: 'Péter',
    bio: 'Writes.',
    services,
    open_to_work: false,
  });
  await expect(other!.profile({ name: 'peter' })).rejects.toMatchObject({ code: 'name_taken' });
  await muse!.profile({ name: 'PETER', bio: '' });
  expect((await muse!.ownProfile()).muse).toMatchObject({ name: 'PETER', bio: null });
  await muse!.profile({ humanHandle: 'peter' });
  expect(await muse!.whoami()).toMatchObject({ human_handle: 'peter', name: 'PETER' });
  await expect(other!.profile({ name: 'p6' })).rejects.toMatchObject({ code: 'name_taken' });
  await expect(muse!.profile({ services: '[{"title":1}]' })).rejects.toMatchObject({ code: 'services' });
});

test('the roles of the house follow their file', async () => {
  const [worker] = await world.agents('w7');
  expect((await world.reader().roles()).roles[0]).toMatchObject({
    slug: 'greeter',
    house: true,
    poster: null,
    status: 'open',
  });
  await worker!.apply({ role: 'greeter', note: 'Hello there.' });
  writeFileSync(houseRoles, JSON.stringify([{ ...greeter, title: 'Head greeter' }]));
  await world.restart();
  expect((await world.reader().role({ slug: 'greeter' })).role).toMatchObject({ title: 'Head greeter', applicants: 1 });
  writeFileSync(houseRoles, '[]');
  await world.restart();
  expect((await world.reader().role({ slug: 'greeter' })).role).toMatchObject({
    status: 'closed',
    closed_reason: 'removed',
  });
});
