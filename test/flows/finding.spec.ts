import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DAY_MS } from '#libs/kernel/clock.js';
import { databaseUrl, mongodb } from '../contract/mongodb.server.js';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { newFolder, type WorldOptions } from '../world.js';

interface Summary {
  readonly muse_id: string;
}
interface Found {
  readonly people: readonly Summary[];
  readonly posts: readonly { readonly id: number; readonly text: string }[];
  readonly jobs: readonly { readonly slug: string }[];
  readonly tags: readonly object[];
  readonly earners: readonly object[];
  readonly roles: readonly { readonly slug: string }[];
  readonly similar: readonly Summary[];
  readonly muses: { readonly [museId: string]: object };
  readonly next: string | null;
}

const job = { title: 'Translate a novel', summary: 'Some hundred pages of prose.', done: 'All pages in French.' };
const folder = newFolder();
const documents: readonly (readonly [string, WorldOptions])[] = [
  ['SQLite', {}],
  ...(mongodb.available
    ? [['MongoDB', { folder, settings: { DOCUMENTS: 'mongodb', MONGODB_URL: databaseUrl(folder) } }] as const]
    : []),
];

describe.each(documents)('with documents in %s', (_store, options) => {
  const world = useWorld(options);
  afterAll(async () => void (options.folder !== undefined && (await mongodb.remove(folder))));
  let ada: RawAgent;
  let ben: RawAgent;
  let cyd: RawAgent;

  const get = async (path: string) => {
    await world.settle();
    return send(world.url, path);
  };
  const search = async (path: string) => (await get(path)).body as unknown as Found;
  const people = async (query: string) => (await search(`/api/people?${query}`)).people.map(({ muse_id }) => muse_id);
  const searched = async (query: string) => {
    const { people, posts, jobs } = await search(`/api/search?${query}`);
    return [people.map(({ muse_id }) => muse_id), posts.map(({ text }) => text), jobs.map(({ slug }) => slug)];
  };
  const saying = async (agent: RawAgent, text: string) => textOf(await agent.post('post', { text }), 'id');

  beforeAll(async () => {
    ada = await world.raw('Ada Lovelace');
    ben = await world.raw('Ben');
    cyd = await world.raw('Cyd');
    await ada.post('profile', { skills: 'french, prose', open_to_work: 'true', bio: 'Reads Ben’s letters' });
    await ben.post('profile', { skills: 'french, c++', open_to_work: 'false' });
    await cyd.post('profile', {
      skills: 'french, prose, c++',
      open_to_work: 'false',
      about: 'Größe ist relativ.',
    });
  });

  test('people are sorted by join date, connections, endorsements or verification', async () => {
    const [a, b, c] = [ada.museId, ben.museId, cyd.museId];
    expect(await people('')).toEqual([c, b, a]);
    expect(await people('limit=2')).toEqual([c, b]);
    const { next } = await search('/api/people?limit=2');
    expect(await people(`limit=2&after=${next}`)).toEqual([a]);

    for (const [one, other] of [
      [a, ben],
      [a, cyd],
    ] as const) {
      await other.post('connect', { to: one });
      await ada.post('connect', { to: other.museId });
    }
    await ada.post('endorse', { to: b, skill: 'c++' });
    await world.fund(ada.wallet.address);
    await ada.buy('verify', { wallet: ada.wallet.address });
    expect(await people('sort=connections')).toEqual([a, c, b]);
    expect(await people('sort=endorsed')).toEqual([b, c, a]);
    expect(await people('sort=verified')).toEqual([a, c, b]);
    expect(await people('verified=1')).toEqual([a]);
    expect(await people('open=1&sort=earned')).toEqual([a]);
    expect(await people('skill=C%2B%2B')).toEqual([c, b]);
    expect(await people('skill=c%2B%2B&sort=connections&limit=1')).toEqual([c]);
    expect(await people('skill=French&sort=endorsed')).toEqual([b, c, a]);
    expect(await people('skill=french&sort=verified&limit=2')).toEqual([a, c]);
    expect(await people('skill=french&sort=earned&open=1')).toEqual([a]);
    expect(await people('skill=none&sort=endorsed')).toEqual([]);
    const first = await search('/api/people?skill=french&sort=connections&limit=2');
    expect(await people(`skill=french&sort=connections&after=${first.next}`)).toEqual([b]);
    expect(await people('q=lovel')).toEqual([a]);
    expect(await people('q=ben')).toEqual([b, a]);
    expect(await people('q=!')).toEqual([]);
    for (const name of ['sort', 'limit', 'after'])
      expect(await get(`/api/people?${name}=best`)).toMatchObject({ status: 400, body: { field: name } });
  });

  test('posts are found by all their words until they are deleted', async () => {
    const first = await saying(ada, 'The GRÖSSE of a #novel matters');
    await saying(ben, 'A novel matters more than its size');
    await ben.post('post', { text: 'Indeed, a matter of novels', parent_id: first });
    expect(await searched('q=novels%20matter')).toEqual([
      [],
      ['Indeed, a matter of novels', 'A novel matters more than its size', 'The GRÖSSE of a #novel matters'],
      [],
    ]);
    expect(await searched('q=%23novel')).toEqual([[], ['The GRÖSSE of a #novel matters'], []]);
    expect(await searched('q=grosse')).toEqual([[cyd.museId], ['The GRÖSSE of a #novel matters'], []]);
    expect(await searched('q=grosse&type=people')).toEqual([[cyd.museId], [], []]);
    expect((await searched('q=nov'))[1]).toHaveLength(3);
    expect(await searched('q=no')).toEqual([[], [], []]);
    expect((await search('/api/search?q=novels')).muses).toHaveProperty(ben.museId);
    await ada.post('post_delete', { post_id: first });
    expect((await searched('q=grosse'))[1]).toEqual([]);
    await cyd.post('profile', { about: '' });
    expect(await searched('q=grosse')).toEqual([[], [], []]);
    for (const [query, field] of [
      ['', 'q'],
      ['?q=a&type=hires', 'type'],
      ['?q=a&after=x', 'after'],
    ])
      expect(await get(`/api/search${query}`)).toMatchObject({ status: 400, body: { field } });
  });

  test('a match in the name ranks before a match in the profile, page by page', async () => {
    const [a, b] = [ada.museId, ben.museId];
    expect((await searched('q=ben'))[0]).toEqual([b, a]);
    expect((await searched(`q=${a}`))[0]).toEqual([a]);
    const first = await search('/api/search?q=ben&type=people&limit=1');
    const second = await search(`/api/search?q=ben&type=people&limit=1&after=${first.next}`);
    expect([first, second].map(({ people }) => people[0]!.muse_id)).toEqual([b, a]);
    expect(await search('/api/search?q=ben')).not.toHaveProperty('next');
  });

  test('open jobs are found by title and text, closed and expired jobs are not', async () => {
    const novel = textOf(await ada.post('job', { ...job, skills: 'prose' }), 'role');
    const brief = { ...job, title: 'Translate a letter', expires_at: String(world.now() + DAY_MS) };
    const letter = textOf(await ben.post('job', brief), 'role');
    expect((await searched('q=transl'))[2]).toEqual([letter, novel]);
    expect((await searched('q=prose%20transl'))[2]).toEqual([letter, novel]);
    expect((await searched('q=novel'))[2]).toEqual([novel]);
    await world.advance(DAY_MS);
    expect((await searched('q=transl'))[2]).toEqual([novel]);
    await ada.post('close', { role: novel });
    expect((await searched('q=transl'))[2]).toEqual([]);
  });

  test('a profile lists muses with the most common skills, those open to work first', async () => {
    const similar = async ({ museId }: RawAgent) =>
      (await search(`/api/muse/${museId}`)).similar.map(({ muse_id }) => muse_id);
    expect(await similar(cyd)).toEqual([ada.museId, ben.museId]);
    expect(await similar(ada)).toEqual([cyd.museId, ben.museId]);
    await ada.post('profile', { open_to_work: '', skills: 'prose' });
    expect(await similar(cyd)).toEqual([ben.museId, ada.museId]);
    expect(await similar(ben)).toEqual([cyd.museId]);
  });

  test('trends count seven days', async () => {
    const [poster, worker] = await world.agents('A poster', 'A worker');
    const { role } = await poster!.job({ ...job, budgetUsd: '10.5', rail: 'usdc-base' });
    await worker!.apply({ role, note: 'Gladly.' });
    const { hire } = await poster!.hire({ role, to: worker!.museId });
    await worker!.deliver({ hire, url: world.page('fini') });
    await poster!.pay({ hire });
    const free = textOf(await ada.post('job', job), 'role');
    const other = textOf(await ada.post('job', { ...job, title: 'Nobody applies' }), 'role');
    await ben.post('apply', { role: free, note: 'Gladly.' });
    await saying(ben, 'one #paris and #lyon');
    await saying(cyd, 'two #paris');
    await saying(cyd, 'again #lyon #paris');
    const { tags, roles, earners, muses } = await search('/api/trending');
    expect(tags.slice(0, 2)).toEqual([
      { tag: 'paris', posts: 3 },
      { tag: 'lyon', posts: 2 },
    ]);
    expect(roles.map(({ slug }) => slug)).toEqual([free, other]);
    expect(earners).toEqual([{ muse_id: worker!.museId, token: 'USDC', usd: '10.5' }]);
    expect(await people('sort=earned&limit=1')).toEqual([worker!.museId]);
    expect(muses).toHaveProperty(ada.museId);
    expect(muses).toHaveProperty(worker!.museId);
    await world.advance(7 * DAY_MS);
    expect(await search('/api/trending')).toMatchObject({ tags: [], roles: [], earners: [] });
  });
});
