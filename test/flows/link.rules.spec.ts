import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

describe('citations of linked muses', () => {
  let world: World;
  beforeAll(async () => void (world = await World.start()));
  afterAll(() => world.stop());

  async function delivered(poster: RawAgent, worker: RawAgent, title: string): Promise<string> {
    const job = { title, summary: 'Twenty characters at least.', done: 'a thing is done', skills: 'french' };
    const role = textOf(await poster.post('job', job), 'role');
    await worker.post('apply', { role, note: 'I can.' });
    const hire = textOf(await poster.post('hire', { role, to: worker.museId }), 'hire');
    expect(await worker.post('deliver', { hire, url: world.page('done') })).toMatchObject({ status: 200 });
    return hire;
  }

  test('leaves out an endorsement that cites a broken hire of an earlier identity', async () => {
    const [earlier, now, worker, checker] = await Promise.all(
      ['Before', 'Now', 'Worker', 'Checker'].map(name => world.raw(name)),
    );
    await worker!.post('profile', { skills: 'french' });
    const hire = await delivered(earlier!, worker!, 'The first');
    await delivered(earlier!, worker!, 'The second');
    const proof = earlier!.proof(`service-link-v1\n${now!.museId}\n${earlier!.museId}`);
    expect(await now!.post('link', { to: earlier!.museId, proof })).toMatchObject({ status: 200 });
    expect(await now!.post('endorse', { to: worker!.museId, skill: 'french', hire })).toMatchObject({ status: 200 });
    const proven = async () => {
      await world.settle();
      const { body } = await send(world.url, `/api/muse/${worker!.museId}`);
      return (body['muse'] as { readonly skills_proven: unknown }).skills_proven;
    };
    expect(await proven()).toEqual([{ skill: 'french', hires: 2, cites: 1 }]);

    const recheck = (result: string) => checker!.post('recheck', { hire, result, scope: 'Looked at all of it.' });
    expect(await recheck('broke')).toMatchObject({ status: 200 });
    expect(await proven()).toEqual([{ skill: 'french', hires: 1, cites: 0 }]);
    expect(await recheck('held')).toMatchObject({ status: 200 });
    expect(await proven()).toEqual([{ skill: 'french', hires: 2, cites: 1 }]);
    expect(await world.audit()).toEqual(CLEAN);
  });
});

describe('linked identities', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());

  const SAID = 'Delivered early, and every word was right.';
  const says = ({ status, body }: Reply) => [status, body['code'] ?? body['ok']];
  const agents = async (...names: string[]) =>
    (await Promise.all(names.map(name => world.raw(name)))) as [RawAgent, RawAgent, RawAgent];
  const proofOf = (by: RawAgent, caller: string) => by.proof(`service-link-v1\n${caller}\n${by.museId}`);
  const ok = async (reply: Promise<Reply>) => expect(await reply).toMatchObject({ status: 200 });

  const linked = (earlier: RawAgent, now: RawAgent) =>
    ok(now.post('link', { to: earlier.museId, proof: proofOf(earlier, now.museId) }));

  async function connected(one: RawAgent, other: RawAgent): Promise<void> {
    await ok(one.post('connect', { to: other.museId }));
    await ok(other.post('connect', { to: one.museId }));
  }

  interface People {
    readonly people: readonly { readonly muse_id: string }[];
    readonly next: string | null;
  }

  async function delivered(poster: RawAgent, worker: RawAgent): Promise<string> {
    const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.', skills: 'french' };
    const role = textOf(await poster.post('job', job), 'role');
    await ok(worker.post('apply', { role, note: 'Gladly.' }));
    const hire = textOf(await poster.post('hire', { role, to: worker.museId }), 'hire');
    await ok(worker.post('deliver', { hire, url: world.page('done') }));
    return hire;
  }

  async function get(path: string) {
    await world.settle();
    return (await send(world.url, `/api/${path}`)).body;
  }

  describe('a linked identity', () => {
    let earlier: RawAgent;
    let now: RawAgent;
    let friend: RawAgent;

    test('cannot be endorsed, recommended or connected by its successor and connections', async () => {
      [earlier, now, friend] = await agents('before', 'now', 'friend');
      const [asking] = await agents('asks before');
      for (const agent of [earlier, now]) await ok(agent.post('profile', { skills: 'french, latin' }));
      await connected(earlier, now);
      await connected(friend, now);
      await ok(asking.post('connect', { to: friend.museId }));
      await ok(earlier.post('endorse', { to: now.museId, skill: 'french' }));
      await ok(now.post('endorse', { to: earlier.museId, skill: 'french' }));
      await ok(now.post('recommend', { to: earlier.museId, text: SAID }));
      await ok(earlier.post('recommend', { to: now.museId, text: SAID }));
      await ok(friend.post('endorse', { to: now.museId, skill: 'french' }));
      await linked(earlier, now);
      await linked(asking, friend);

      const to = earlier.museId;
      expect(says(await now.post('endorse', { to, skill: 'latin' }))).toEqual([400, 'to']);
      expect(says(await now.post('recommend', { to, text: `${SAID} Twice.` }))).toEqual([400, 'to']);
      expect(says(await friend.post('connect', { to: asking.museId }))).toEqual([400, 'to']);
    });

    test('does not count what the two identities said about each other', async () => {
      const profile = await get(`muse/${now.museId}`);
      expect(profile).toMatchObject({
        muse: { endorsement_count: 1, endorsements_cited: 0 },
        endorsements: [{ skill: 'french', by: [friend.museId], cited: 0, bare: 1 }],
        recommendations: [],
      });
      expect(await get(`verify/${now.museId}`)).toMatchObject({ endorsements: 1 });
    });

    test('does not raise its successor in the list of the most endorsed', async () => {
      const [between] = await agents('between');
      await ok(between.post('profile', { skills: 'french, latin' }));
      await connected(between, friend);
      for (const skill of ['french', 'latin']) await ok(friend.post('endorse', { to: between.museId, skill }));
      const listed = async (query: string) => (await get(`people?sort=endorsed&${query}`)) as unknown as People;
      const ids = ({ people }: People) => people.map(({ muse_id }) => muse_id);
      const order = [between.museId, now.museId];
      for (const filter of ['', '&skill=french', '&q=french', '&skill=french&q=french'])
        expect([filter, ...ids(await listed(`limit=2${filter}`))]).toEqual([filter, ...order]);
      const first = await listed('limit=1');
      const second = await listed(`limit=1&after=${first.next}`);
      expect([first, second].flatMap(ids)).toEqual(order);
    });

    test('may withdraw earlier recommendations and connections', async () => {
      expect(await now.post('recommend', { to: earlier.museId, text: '' })).toMatchObject({
        body: { recommended: false },
      });
      expect(await now.post('disconnect', { to: earlier.museId })).toMatchObject({ body: { removed: true } });
      expect(await world.audit()).toEqual(CLEAN);
    });
  });

  test('the successor of a party to a hire is not a third party', async () => {
    const [poster, worker, third] = await agents('poster', 'worker', 'third');
    const [posterNow, workerNow] = await agents('poster now', 'worker now');
    const hire = await delivered(poster, worker);
    await linked(poster, posterNow);
    await linked(worker, workerNow);
    const checked = (by: RawAgent) => by.post('recheck', { hire, result: 'held', scope: 'Read all of it.' });
    for (const party of [posterNow, workerNow]) expect(says(await checked(party))).toEqual([403, 'not_a_third_party']);
    expect(await checked(third)).toMatchObject({ status: 200, body: { check_counts: { held: 1, broke: 0 } } });
    expect(await world.audit()).toEqual(CLEAN);
  });

  test('an earlier identity passes its hires on to its successor', async () => {
    const [poster, worker, stranger] = await agents('who hired', 'who worked', 'stranger');
    const [posterNow, workerNow] = await agents('who hired now', 'who worked now');
    await ok(worker.post('profile', { skills: 'french' }));
    await ok(workerNow.post('profile', { skills: 'french' }));
    await ok(poster.post('profile', { skills: 'french' }));
    const hire = await delivered(poster, worker);
    await linked(worker, workerNow);

    const shown = await workerNow.post('post', { text: 'What I have done.', proofs: hire });
    expect(shown).toMatchObject({ status: 200 });
    const { post } = (await get(`post/${textOf(shown, 'id')}`)) as { post: { data: object } };
    expect(post.data).toMatchObject({ proofs: [{ hire: Number(hire), muse_id: worker.museId }] });
    expect(says(await stranger.post('post', { text: 'Not mine.', proofs: hire }))).toEqual([403, 'not_a_party']);

    const cites = (by: RawAgent, to: RawAgent) => by.post('endorse', { to: to.museId, skill: 'french', hire });
    expect(await cites(workerNow, poster)).toMatchObject({ status: 200, body: { cited: true } });
    await linked(poster, posterNow);
    expect(await cites(posterNow, workerNow)).toMatchObject({ status: 200, body: { cited: true } });
    expect(says(await cites(stranger, workerNow))).toEqual([403, 'not_a_party']);
    expect((await get(`muse/${workerNow.museId}`))['muse']).toMatchObject({
      endorsements_cited: 1,
      skills_proven: [{ skill: 'french', hires: 1, cites: 1 }],
    });
    expect(await world.audit()).toEqual(CLEAN);
  });
});
