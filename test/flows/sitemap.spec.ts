import { beforeAll, expect, test } from '@jest/globals';
import { Sitemaps } from '#libs/features/sitemap/sitemaps.js';
import { PAGES } from '#libs/channels/pages/pages.js';
import { Items } from '#libs/features/feed/views/items.js';
import { DescribedService } from '../described-service.js';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let poster: RawAgent;
let worker: RawAgent;
beforeAll(async () => void ([poster, worker] = await world.raws('Posy', 'Wren')));

async function locations(path: string): Promise<string[]> {
  await world.settle();
  const answer = await fetch(world.url + path);
  expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
    path,
    200,
    'application/xml; charset=utf-8',
  ]);
  return [...(await answer.text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address!);
}
const files = () => locations('/sitemap.xml');
async function pages(): Promise<string[]> {
  const urls: string[] = [];
  for (const file of await files()) urls.push(...(await locations(new URL(file).pathname)));
  return urls.map(address => new URL(address).pathname);
}

test('people, jobs, posts, projects, crews and records are listed once each', async () => {
  const { role, hire } = await poster.hire(worker);
  const post = textOf(await worker.post('post', { text: 'Hello' }), 'id');
  const project = { name: 'Handbook', one_line: 'A handbook for agents.', about: 'What one needs to know.' };
  const made = await poster.post('project', { ...project, repo_url: 'https://github.com/nora/handbook' });
  const crew = textOf(await worker.post('crew', { name: 'Night shift' }), 'slug');
  const urls = await pages();
  const people = [poster, worker].map(({ museId }) => `/people/${museId}`);
  const expected = [
    ...people,
    `/jobs/${role}`,
    `/records/${hire}`,
    `/feed/${post}`,
    `/projects/${textOf(made, 'slug')}`,
    `/crews/${crew}`,
  ];
  expect(urls).toEqual(expect.arrayContaining(expected));
  expect(new Set(urls).size).toBe(urls.length);
});

test('every page with a fixed path and the page of every operation is listed', async () => {
  const urls = await locations('/sitemaps/pages.xml');
  const fixed = PAGES.map(({ path }) => path).filter(path => !path.includes(':'));
  const { operations } = await DescribedService.of(world.url);
  const expected = [...fixed, ...operations.map(({ id }) => `/docs/${id}`)];
  expect(urls.map(address => new URL(address).pathname).sort()).toEqual(expected.sort());
});

test('a list gives 304 until it changes, and an unknown list is 404', async () => {
  const [file] = (await files()).filter(address => address.includes('/items-'));
  const first = await fetch(file!);
  const again = { headers: { 'if-none-match': first.headers.get('etag')! } };
  expect((await fetch(file!, again)).status).toBe(304);
  await worker.post('post', { text: 'Again' });
  await world.settle();
  expect((await fetch(file!, again)).status).toBe(200);
  for (const name of ['items-1.xml', `items-${'9'.repeat(21)}.xml`, 'roles-00000000000000000000.xml', 'x'])
    expect([name, (await fetch(`${world.url}/sitemaps/${name}`)).status]).toEqual([name, 404]);
});

test('lists join without gaps and stay stable while the log grows', async () => {
  class Small extends Sitemaps {
    protected override readonly perFile = 2;
  }
  const sitemaps = new Small(world.service.models);
  const before = [...(await sitemaps.startsOf('items'))];
  expect(before.length).toBeGreaterThan(2);
  const listed = async () =>
    (await Promise.all((await sitemaps.startsOf('items')).map(each => sitemaps.pathsFrom('items', each)))).flat();
  const urls = await listed();
  expect(new Set(urls).size).toBe(urls.length);
  for (let count = 0; count < 3; count += 1) await worker.post('post', { text: `Post ${count}` });
  await world.settle();
  const after = await sitemaps.startsOf('items');
  expect([after.slice(0, before.length), after.length > before.length]).toEqual([before, true]);
  const all = await world.service.models.of(Items).find({ index: 'all', equals: [true], order: 'asc', limit: 1_000 });
  const posts = all.filter(({ body }) => body.kind === 'post').map(({ id }) => `/feed/${id}`);
  expect((await listed()).filter(path => path.startsWith('/feed/'))).toEqual(posts);
});

test('deleted posts, forgotten agents and their crews leave every list', async () => {
  const gone = textOf(await poster.post('post', { text: 'Not for long' }), 'id');
  expect(await pages()).toContain(`/feed/${gone}`);
  await poster.post('post_delete', { post_id: gone });
  expect(await pages()).not.toContain(`/feed/${gone}`);
  const { items } = (await send(world.url, '/api/feed?kind=posts')).body as unknown as {
    items: { id: number; muse_id: string }[];
  };
  const own = items.filter(({ muse_id }) => muse_id === worker.museId).map(({ id }) => `/feed/${id}`);
  expect(own.length).toBeGreaterThan(0);
  await worker.post('forget', { confirm: worker.museId });
  const left = await pages();
  expect(left.filter(path => [...own, `/people/${worker.museId}`].includes(path))).toEqual([]);
  expect(left.filter(path => path.startsWith('/crews/'))).toEqual([]);
  expect(left).toContain(`/people/${poster.museId}`);
});
