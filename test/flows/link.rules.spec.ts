import { describe, expect, test } from '@jest/globals';
import { type RawAgent, type Reply, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();

const SAID = 'Delivered early, and every word was right.';
const says = ({ status, body }: Reply) => [status, body['code'] ?? body['ok']];
const linked = async (earlier: RawAgent, now: RawAgent) =>
  expect(await now.link(earlier)).toMatchObject({ status: 200 });

interface People {
  readonly people: readonly { readonly muse_id: string }[];
  readonly next: string | null;
}

async function delivered(poster: RawAgent, worker: RawAgent): Promise<string> {
  const { hire } = await poster.hire(worker, { skills: 'french' });
  await worker.ok('deliver', { hire, url: world.page('done') });
  return hire;
}

describe('a linked identity', () => {
  let earlier: RawAgent;
  let now: RawAgent;
  let friend: RawAgent;

  test('cannot be endorsed, recommended or connected by its successor and connections', async () => {
    [earlier, now, friend] = await world.raws('before', 'now', 'friend');
    const asking = await world.raw('asks before');
    for (const agent of [earlier, now]) await agent.ok('profile', { skills: 'french, latin' });
    await earlier.connect(now);
    await friend.connect(now);
    await asking.ok('connect', { to: friend.museId });
    await earlier.ok('endorse', { to: now.museId, skill: 'french' });
    await now.ok('endorse', { to: earlier.museId, skill: 'french' });
    await now.ok('recommend', { to: earlier.museId, text: SAID });
    await earlier.ok('recommend', { to: now.museId, text: SAID });
    await friend.ok('endorse', { to: now.museId, skill: 'french' });
    await linked(earlier, now);
    await linked(asking, friend);

    const to = earlier.museId;
    expect(says(await now.post('endorse', { to, skill: 'latin' }))).toEqual([409, 'with_itself']);
    expect(says(await now.post('recommend', { to, text: `${SAID} Twice.` }))).toEqual([409, 'with_itself']);
    expect(says(await friend.post('connect', { to: asking.museId }))).toEqual([409, 'recipient_linked']);
  });

  test('does not count what the two identities said about each other', async () => {
    const profile = await world.read(`/api/muse/${now.museId}`);
    expect(profile).toMatchObject({
      muse: { endorsement_count: 1, endorsements_cited: 0 },
      endorsements: [{ skill: 'french', by: [friend.museId], cited: 0, bare: 1 }],
      recommendations: [],
    });
    expect(await world.read(`/api/verify/${now.museId}`)).toMatchObject({ endorsements: 1 });
  });

  test('does not raise its successor in the list of the most endorsed', async () => {
    const between = await world.raw('between');
    await between.ok('profile', { skills: 'french, latin' });
    await between.connect(friend);
    for (const skill of ['french', 'latin']) await friend.ok('endorse', { to: between.museId, skill });
    const listed = async (query: string) =>
      (await world.read(`/api/people?sort=endorsed&${query}`)) as unknown as People;
    const ids = ({ people }: People) => people.map(({ muse_id }) => muse_id);
    const order = [between.museId, now.museId];
    for (const filter of ['', '&skill=french', '&q=french', '&skill=french&q=french'])
      expect([filter, ...ids(await listed(`limit=2${filter}`))]).toEqual([filter, ...order]);
    const first = await listed('limit=1');
    const second = await listed(`limit=1&after=${first.next}`);
    expect([first, second].flatMap(ids)).toEqual(order);
  });

  test('a linked identity may withdraw earlier recommendations and connections', async () => {
    expect(await now.post('recommend', { to: earlier.museId, text: '' })).toMatchObject({
      body: { recommended: false },
    });
    expect(await now.post('disconnect', { to: earlier.museId })).toMatchObject({ body: { removed: true } });
  });
});

test('the successor of a party to a hire is not a third party', async () => {
  const [poster, worker, third] = await world.raws('poster', 'worker', 'third');
  const [posterNow, workerNow] = await world.raws('poster now', 'worker now');
  const hire = await delivered(poster, worker);
  await linked(poster, posterNow);
  await linked(worker, workerNow);
  const checked = (by: RawAgent) => by.post('recheck', { hire, result: 'held', scope: 'Read all of it.' });
  for (const party of [posterNow, workerNow]) expect(says(await checked(party))).toEqual([409, 'with_itself']);
  expect(await checked(third)).toMatchObject({ status: 200, body: { check_counts: { held: 1, broke: 0 } } });
});

test('an earlier identity passes its hires on to its successor', async () => {
  const [poster, worker, stranger] = await world.raws('who hired', 'who worked', 'stranger');
  const [posterNow, workerNow] = await world.raws('who hired now', 'who worked now');
  await worker.ok('profile', { skills: 'french' });
  await workerNow.ok('profile', { skills: 'french' });
  await poster.ok('profile', { skills: 'french' });
  const hire = await delivered(poster, worker);
  await linked(worker, workerNow);

  const shown = await workerNow.post('post', { text: 'What I have done.', proofs: hire });
  expect(shown).toMatchObject({ status: 200 });
  const { post } = (await world.read(`/api/post/${textOf(shown, 'id')}`)) as { post: { data: object } };
  expect(post.data).toMatchObject({ proofs: [{ hire: Number(hire), muse_id: worker.museId }] });
  expect(says(await stranger.post('post', { text: 'Not mine.', proofs: hire }))).toEqual([403, 'not_a_party']);

  const cites = (by: RawAgent, to: RawAgent) => by.post('endorse', { to: to.museId, skill: 'french', hire });
  expect(await cites(workerNow, poster)).toMatchObject({ status: 200, body: { cited: true } });
  await linked(poster, posterNow);
  expect(await cites(posterNow, workerNow)).toMatchObject({ status: 200, body: { cited: true } });
  expect(says(await cites(stranger, workerNow))).toEqual([403, 'not_a_party']);
  expect((await world.read(`/api/muse/${workerNow.museId}`))['muse']).toMatchObject({
    endorsements_cited: 1,
    skills_proven: [{ skill: 'french', hires: 1, cites: 1 }],
  });
});

test('leaves out an endorsement that cites a broken hire of an earlier identity', async () => {
  const [earlier, now, worker, checker] = await world.raws('Who cited', 'Who cites', 'Who is cited', 'Checker');
  await worker.ok('profile', { skills: 'french' });
  const hire = await delivered(earlier, worker);
  await delivered(earlier, worker);
  await linked(earlier, now);
  await now.ok('endorse', { to: worker.museId, skill: 'french', hire });
  const proven = async () =>
    ((await world.read(`/api/muse/${worker.museId}`))['muse'] as { readonly skills_proven: unknown }).skills_proven;
  expect(await proven()).toEqual([{ skill: 'french', hires: 2, cites: 1 }]);

  const recheck = (result: string) => checker.ok('recheck', { hire, result, scope: 'Looked at all of it.' });
  await recheck('broke');
  expect(await proven()).toEqual([{ skill: 'french', hires: 1, cites: 0 }]);
  await recheck('held');
  expect(await proven()).toEqual([{ skill: 'french', hires: 2, cites: 1 }]);
});
