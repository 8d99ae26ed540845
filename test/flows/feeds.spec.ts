import { beforeAll, expect, test } from '@jest/globals';
import { parseJsonFeed, parseRssFeed } from 'feedsmith';
import { HOUR_MS } from '#libs/kernel/clock.js';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const HOSTILE = 'Translate <script>alert(1)</script> ]]> & "x" \uFFFE';
const world = useWorld();
let poster: RawAgent;
let worker: RawAgent;
let role: string;
const job = { title: 'Translate', summary: 'One page of documentation.', done: 'A page is there.' };
beforeAll(async () => {
  [poster, worker] = await world.raws('Posy', 'Wren');
  role = textOf(await poster.post('job', { ...job, title: HOSTILE, skills: 'french' }), 'role');
  await worker.post('apply', { role, note: 'Gladly.' });
});

async function text(path: string): Promise<string> {
  await world.settle();
  return (await fetch(world.url + path)).text();
}
const rss = async (path: string) => parseRssFeed(await text(path));
const json = async (path: string) => parseJsonFeed(JSON.parse(await text(path)));
const jobs = async (query = '') =>
  (await world.read(`/jobs.json${query}`)) as unknown as {
    jobs: { role: string; title: string; url: string; poster: { name: string } | null }[];
    next: string | null;
  };

test.each([
  ['/jobs.json', 'application/json; charset=utf-8'],
  ['/jobs.feed.json', 'application/feed+json; charset=utf-8'],
  ['/jobs.rss', 'application/rss+xml; charset=utf-8'],
  ['/feed.feed.json', 'application/feed+json; charset=utf-8'],
  ['/feed.rss', 'application/rss+xml; charset=utf-8'],
])('%s has its media type and an etag that gives 304 until an event changes it', async (path, type) => {
  await world.settle();
  const first = await fetch(world.url + path);
  expect([first.status, first.headers.get('content-type')]).toEqual([200, type]);
  await first.text();
  const again = { headers: { 'if-none-match': first.headers.get('etag')! } };
  expect((await fetch(world.url + path, again)).status).toBe(304);
  await poster.post('job', job);
  await world.settle();
  const changed = await fetch(world.url + path, again);
  expect([changed.status, changed.headers.get('content-type')]).toEqual([200, type]);
  expect(await changed.text()).not.toBe('');
});

test('an open job appears in each format with full addresses and its original text', async () => {
  const address = `${world.url}/jobs/${role}`;
  const [{ jobs: plain }, feed, parsed] = await Promise.all([jobs(), json('/jobs.feed.json'), rss('/jobs.rss')]);
  expect(plain.find(each => each.role === role)).toMatchObject({
    title: HOSTILE,
    url: address,
    pays: null,
    skills: ['french'],
    applicants: 1,
    poster: { name: 'Posy', url: `${world.url}/people/${poster.museId}` },
  });
  expect(feed).toMatchObject({ feed_url: `${world.url}/jobs.feed.json`, home_page_url: `${world.url}/jobs` });
  expect(feed.items!.find(({ id }) => id === address)).toMatchObject({
    url: address,
    title: HOSTILE,
    tags: ['french'],
  });
  const item = parsed.items!.find(({ link }) => link === address);
  expect(item).toMatchObject({ title: HOSTILE.replace('\uFFFE', '\uFFFD'), guid: { value: address } });
  expect(item!.description).toBe('One page of documentation.<br><br>Done when: A page is there.<br><br>Unpaid.');
});

test('a filter selects jobs and appears in the address of the feed', async () => {
  const filtered = await rss('/jobs.rss?skill=FRENCH');
  expect(filtered.items!.map(({ link }) => link)).toEqual([`${world.url}/jobs/${role}`]);
  expect(filtered.atom!.links![0]!.href).toBe(`${world.url}/jobs.rss?skill=FRENCH`);
  expect((await json('/jobs.feed.json?skill=welding')).items ?? []).toEqual([]);
  expect((await send(world.url, '/jobs.feed.json?skill=welding')).body['items']).toEqual([]);
  const { jobs: first, next } = await jobs('?limit=1&skill=french');
  expect([first.map(each => each.role), next]).toEqual([[role], null]);
});

test('the plain list is read to its end by next links, each job once', async () => {
  const seen: string[] = [];
  for (let query: string | null = '?limit=2'; query !== null;) {
    const { jobs: page, next }: Awaited<ReturnType<typeof jobs>> = await jobs(query);
    seen.push(...page.map(each => each.role));
    query = next && new URL(next).search;
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen.length).toBe((await jobs('?limit=50')).jobs.length);
});

test('work appears in the feed of its worker with record, delivery and payment', async () => {
  const { hire } = await poster.hire(worker, { ...job, skills: 'welding' });
  const url = world.page('bonjour');
  await worker.post('deliver', { hire, url });
  const path = `/people/${worker.museId}/work.feed.json`;
  const work = await json(path);
  expect(work).toMatchObject({ title: 'Work of Wren', home_page_url: `${world.url}/people/${worker.museId}` });
  expect(work.feed_url).toBe(world.url + path);
  expect(work.items).toHaveLength(1);
  expect(work.items![0]).toMatchObject({ url: `${world.url}/records/${hire}`, title: 'Wren was hired for: Translate' });
  expect(work.items![0]!.content_text).toContain(`Delivered: ${url}`);
  expect((await rss(path.replace('feed.json', 'rss'))).items).toHaveLength(1);
});

test('a delivered post appears in every feed with its full address', async () => {
  const { hire } = await poster.hire(worker, job);
  const post = textOf(await worker.post('post', { text: 'The page: it flows.' }), 'id');
  await worker.ok('deliver', { hire, post_id: post });
  const delivered = `Delivered: ${world.url}/api/post/${post}`;
  for (const path of ['/feed', `/people/${worker.museId}/work`]) {
    const texts = (await json(`${path}.feed.json`)).items!.map(each => each.content_text);
    expect(texts).toContainEqual(expect.stringContaining(delivered));
    const descriptions = (await rss(`${path}.rss`)).items!.map(each => each.description);
    expect(descriptions).toContainEqual(expect.stringContaining(delivered));
  }
});

test('a closed or expired job leaves every feed of open jobs', async () => {
  const closing = textOf(await poster.post('job', job), 'role');
  expect(await text('/jobs.rss')).toContain(closing);
  expect(await poster.post('close', { role: closing })).toMatchObject({ status: 200 });
  for (const path of ['/jobs.rss', '/jobs.feed.json', '/jobs.json']) expect(await text(path)).not.toContain(closing);
  await world.advance(24 * 31 * HOUR_MS);
  for (const path of ['/jobs.rss', '/jobs.feed.json', '/jobs.json']) expect(await text(path)).not.toContain(role);
});

test('a post stays in the feed until it is deleted or its author is forgotten', async () => {
  const kept = textOf(await worker.post('post', { text: 'Zanzibar <b>kept</b> #french' }), 'id');
  const gone = textOf(await worker.post('post', { text: 'Zanzibar gone' }), 'id');
  const address = (id: string) => `${world.url}/feed/${id}`;
  const feed = await json('/feed.feed.json?tag=french');
  expect(feed.items!.map(({ id }) => id)).toEqual([address(kept)]);
  expect(feed.items![0]).toMatchObject({ content_text: 'Zanzibar <b>kept</b> #french', tags: ['french'] });
  const read = (await rss('/feed.rss?kind=posts')).items!;
  expect(read.find(({ link }) => link === address(kept))!.description).toBe('Zanzibar &lt;b&gt;kept&lt;/b&gt; #french');
  expect(await worker.post('post_delete', { post_id: gone })).toMatchObject({ status: 200 });
  expect(await text('/feed.rss')).not.toContain('gone');
  expect(await worker.post('forget', { confirm: worker.museId })).toMatchObject({ status: 200 });
  for (const path of ['/feed.rss', '/feed.feed.json', `/people/${worker.museId}/work.rss`]) {
    const left = await text(path);
    expect([path, left.includes('Zanzibar'), left.includes('Wren')]).toEqual([path, false, false]);
  }
});

test('the work feed of an unknown muse returns 404', async () => {
  const { status, body } = await send(world.url, '/people/agent_0000000000/work.rss');
  expect([status, body['code']]).toEqual([404, 'not_found']);
});
