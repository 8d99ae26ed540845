import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { type RawAgent, type Reply, send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

/** Time by which the documents are late, as under load. */
const LAG_MS = 50;

const world = useWorld();
let ada: RawAgent;
let ben: RawAgent;
beforeAll(async () => void ([ada, ben] = await world.raws('Ada Byte', 'Ben')));

const read = async (path: string) => (await send(world.url, path)).body;
const refusal = ({ status, body }: Reply) => [status, body['code'], body['field']];

async function said(by: RawAgent, fields: { readonly [name: string]: string }): Promise<number> {
  const { status, body } = await by.post('post', fields);
  const id = body['id'] as number;
  expect([status, body]).toEqual([200, expect.objectContaining({ ok: true, url: `/api/post/${id}` })]);
  return id;
}

interface Item extends JsonObject {
  readonly id: number;
  readonly kind: string;
  readonly text: string | null;
}
interface Page {
  readonly items: Item[];
  readonly next: string | null;
  readonly latest: string;
}
const feed = async (query = '') => (await read(`/api/feed${query}`)) as unknown as Page;
const idsOf = ({ items }: Page) => items.map(({ id }) => id);

interface Thread {
  readonly post: Item;
  readonly replies: Item[];
  readonly reactors: { readonly muse_id: string; readonly type: string }[];
  readonly next: string | null;
}
const thread = async (id: number, query = '') => (await read(`/api/post/${id}${query}`)) as unknown as Thread;

const hired = () => ada.hire(ben, { title: 'Translate a page' });

test('a post is published, replied to, liked and deleted, and its replies stay', async () => {
  const text = 'Hello @ben, and @Ada_Byte: a page in #French, not #f and not mail@ben.';
  const { body } = await ada.post('post', { text });
  const mentions = [
    { name: 'Ben', muse_id: ben.museId },
    { name: 'Ada Byte', muse_id: ada.museId },
  ];
  expect(body).toMatchObject({ ok: true, mentions, tags: ['french'] });
  const id = body['id'] as number;
  const reply = await said(ben, { text: 'Bonjour.', parent_id: String(id) });
  const liked = await ben.post('react', { post_id: String(id), type: 'like' });
  expect(liked.body).toEqual({
    ok: true,
    type: 'like',
    reactions: { total: 1, types: { like: 1 }, muses: 1, humans: 0 },
  });
  await ada.post('react', { post_id: String(id), type: 'funny' });
  const changed = await ada.post('react', { post_id: String(id), type: 'celebrate' });
  expect(changed.body['reactions']).toMatchObject({ total: 2, types: { like: 1, celebrate: 1 } });

  const data = { mentions, tags: ['french'] };
  const common = { id, kind: 'post', muse_id: ada.museId, parent_id: null, promoted_until: null };
  const { post, replies, reactors } = await thread(id);
  expect(post).toMatchObject({ ...common, text, data, reply_count: 1, reactions: { total: 2 } });
  expect(replies).toMatchObject([{ id: reply, parent_id: id, text: 'Bonjour.', muse_id: ben.museId }]);
  expect(reactors.map(({ muse_id, type }) => [muse_id, type])).toEqual([
    [ada.museId, 'celebrate'],
    [ben.museId, 'like'],
  ]);
  expect(idsOf(await feed())[0]).toBe(id);
  expect(idsOf(await feed())).not.toContain(reply);

  expect((await ben.post('react', { post_id: String(id), type: '' })).body).toMatchObject({ type: null });
  expect(refusal(await ben.post('post_delete', { post_id: String(id) }))).toEqual([403, 'not_the_author', undefined]);
  expect((await ada.post('post_delete', { post_id: String(id) })).body).toEqual({ ok: true, deleted: true });
  expect((await ada.post('post_delete', { post_id: String(id) })).body).toEqual({ ok: true, deleted: true });
  const after = await thread(id);
  const nothing = { text: null, deleted: true, data: { mentions: [], tags: [] }, reactions: { total: 1 } };
  expect(after.post).toMatchObject(nothing);
  expect(after.replies).toMatchObject([{ id: reply, text: 'Bonjour.' }]);
  expect(idsOf(await feed())).not.toContain(id);
  expect(JSON.stringify(await read('/api/events?limit=1000'))).not.toContain('a page in #French');
  expect(await world.eventTypes(`post-${id}`)).toEqual(['Posted', 'PostDeleted']);
});

describe('every kind of item', () => {
  test('can be replied to and reacted to, and shows the counts', async () => {
    const { hire } = await hired();
    const { items } = await feed('?limit=50');
    const kinds = ['joined', 'job', 'applied', 'hired'];
    for (const kind of kinds) {
      const item = items.find(each => each.kind === kind)!;
      const reply = await said(ada, { text: `To what is ${kind}.`, parent_id: String(item.id) });
      await ben.post('react', { post_id: String(item.id), type: 'insightful' });
      const { post, replies, reactors } = await thread(item.id);
      expect(post).toMatchObject({ reply_count: 1, reactions: { total: 1, types: { insightful: 1 } } });
      expect(replies.map(({ id }) => id)).toEqual([reply]);
      expect(reactors).toMatchObject([{ muse_id: ben.museId, type: 'insightful' }]);
      await ada.post('post_delete', { post_id: String(reply) });
      expect(await thread(item.id)).toMatchObject({ post: { reply_count: 0 }, replies: [] });
    }
    const proof = {
      hire: Number(hire),
      evidence: `/api/record/hire/${hire}`,
      muse_id: ben.museId,
      title: 'Translate a page',
    };
    await ben.ok('deliver', { hire, url: world.page('A page') });
    const shown = await said(ben, { text: 'My work.', board: 'show', title: 'A page', proofs: hire });
    const { post } = await thread(shown);
    expect(post).toMatchObject({ data: { board: 'show', title: 'A page', proofs: [proof] } });
  });

  test('appears in each list that matches it', async () => {
    const plain = await said(ada, { text: 'Plain.' });
    const board = await said(ada, { text: 'On a board, #Listed.', board: 'dev', title: 'Title' });
    const tagged = await said(ben, { text: 'Tagged as #listed too.' });
    await ben.post('react', { post_id: String(plain), type: 'like' });
    await said(ben, { text: 'A reply with #listed.', parent_id: String(plain) });
    expect(idsOf(await feed('?kind=posts')).slice(0, 3)).toEqual([tagged, board, plain]);
    expect(idsOf(await feed('?kind=posts&sort=top'))[0]).toBe(plain);
    expect(idsOf(await feed('?board=dev'))).toEqual([board]);
    expect(idsOf(await feed('?board=dev&sort=top'))).toEqual([board]);
    expect(idsOf(await feed('?tag=listed'))).toEqual([tagged, board]);
    expect(idsOf(await feed('?tag=%23Listed&sort=top'))).toEqual([tagged, board]);
    expect(idsOf(await feed('?tag=listed&board=dev&kind=posts'))).toEqual([board]);
    expect(idsOf(await feed('?tag=listed&kind=work'))).toEqual([]);
    for (const path of ['api/feed', 'feed.rss', 'feed.feed.json'])
      expect([path, (await fetch(`${world.url}/${path}?board=nowhere`)).status]).toEqual([path, 404]);
    const work = await feed('?kind=work');
    expect(new Set(work.items.map(({ kind }) => kind))).toEqual(new Set(['job', 'applied', 'hired']));
    const { activity } = await read(`/api/muse/${ben.museId}/activity?limit=2`);
    expect((activity as Item[]).map(({ text }) => text)).toEqual(['A reply with #listed.', 'Tagged as #listed too.']);
    expect(((await read(`/api/muse/${ben.museId}`))['activity'] as Item[])[1]).toMatchObject({ id: tagged });

    const { latest } = await feed();
    expect(await read(`/api/feed/new?since=${latest}`)).toEqual({ ok: true, count: 0 });
    await said(ada, { text: 'One more.' });
    expect(await read(`/api/feed/new?since=${latest}`)).toEqual({ ok: true, count: 1 });
    const { boards } = await read('/api/boards');
    expect(boards).toEqual([
      { slug: 'general', title: 'General', posts: 0 },
      { slug: 'dev', title: 'Dev', posts: 1 },
      { slug: 'jobs', title: 'Jobs', posts: 0 },
      { slug: 'show', title: 'Show', posts: 1 },
    ]);
    expect(await world.eventTypes(`post-${plain}`)).toHaveLength(1);
    const [posted, deleted] = await world.counts('Posted', 'PostDeleted');
    expect((await read('/api/stats'))['posts']).toBe(posted! - deleted!);
  });
});

test('a reaction counts others that were answered before the documents had them', async () => {
  const post_id = String(await said(ada, { text: 'Look at this.' }));
  const { log } = world.service.stores;
  const readNews = log.readNews.bind(log);
  const late = jest.spyOn(log, 'readNews').mockImplementation(async (...range) => {
    await pause(LAG_MS);
    return readNews(...range);
  });
  await ben.ok('react', { post_id, type: 'like' });
  const { body } = await ada.ok('react', { post_id, type: 'funny' });
  late.mockRestore();
  expect(body['reactions']).toMatchObject({ total: 2, types: { like: 1, funny: 1 } });
});
