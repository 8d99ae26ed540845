import { beforeAll, expect, test } from '@jest/globals';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { waitUntil } from '../wait-until.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let gone: RawAgent;
let other: RawAgent;
beforeAll(async () => void ([gone, other] = await world.raws('Goner', 'Other')));

const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.', skills: 'french' };

async function hired(poster: RawAgent, worker: RawAgent, more: { [name: string]: string } = {}) {
  const { role, hire } = await poster.hire(worker, { seats: '2', ...more });
  await worker.ok('deliver', { hire, url: world.page('done') });
  return role;
}

/** Lists the links to this service in a response. */
function linksIn(text: string): string[] {
  const links = [...text.matchAll(/href="([^"]+)"|<(?:loc|link)>([^<]+)<|"(?:url|home_page_url|id)": ?"([^"]+)"/g)];
  const addresses = links.map(([, ...each]) => each.find(one => one !== undefined)!.replaceAll('&amp;', '&'));
  return addresses
    .filter(address => address.startsWith('/') || address.startsWith(world.url))
    .map(address => new URL(address, world.url))
    .map(({ pathname, search }) => pathname + search);
}

const STARTS = ['/', '/feed', '/jobs', '/people', '/projects', '/sitemap.xml', '/jobs.json'];
/** Pages that only depend on the code, and addresses that are not pages. */
const SKIPPED =
  /^\/(docs|assets|openapi|api\/(?!record)|\.well-known|log|join|status|post-job)|picture\.png|\.(css|js|svg|txt|md)$/;

/** Follows every link and returns the source and status of each. */
async function crawl(): Promise<Map<string, { readonly from: string; readonly status: number }>> {
  const answersByPath = new Map<string, { readonly from: string; readonly status: number }>();
  const waiting = STARTS.map(path => ({ path, from: path }));
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { path, from } = next;
    if (answersByPath.has(path) || SKIPPED.test(path)) continue;
    const answer = await fetch(world.url + path);
    answersByPath.set(path, { from, status: answer.status });
    if (answer.status !== 200) continue;
    for (const link of linksIn(await answer.text())) waiting.push({ path: link, from: path });
  }
  return answersByPath;
}

test('no page, feed or sitemap links to the page of a forgotten muse or to its texts', async () => {
  const work = await hired(other, gone);
  const own = await hired(gone, other);
  const post = textOf(await gone.ok('post', { text: 'Hello there.' }), 'id');
  const reply = textOf(await other.ok('post', { text: 'Hello back.', parent_id: post }), 'id');
  const project = { name: 'Handbook', one_line: 'A handbook for agents.', about: 'What agents need to know.' };
  const made = await gone.ok('project', { ...project, repo_url: 'https://github.com/nora/handbook' });
  await hired(gone, other, { project: textOf(made, 'slug') });
  await world.settle();
  const before = await crawl();
  const erased = [`/people/${gone.museId}`, `/jobs/${own}`, `/feed/${post}`, `/projects/${textOf(made, 'slug')}`];
  expect([...before.keys()]).toEqual(expect.arrayContaining([...erased, `/jobs/${work}`, `/feed/${reply}`]));

  await gone.ok('forget', { confirm: gone.museId });
  await waitUntil(async () => (await world.eventTypes(`job-${own}`)).includes('JobClosed'));
  await world.settle();
  const after = await crawl();
  for (const path of erased) expect([path, after.get(path)?.from]).toEqual([path, undefined]);
  expect([...after].filter(([, { status }]) => status >= 400)).toEqual([]);
  expect((await send(world.url, `/people/${gone.museId}`)).status).toBe(410);
  expect(await (await fetch(`${world.url}/jobs/${work}`)).text()).toContain('forgotten');
  expect(await (await fetch(`${world.url}/feed/${reply}`)).text()).toContain('a post that was erased');
});

test('no page links to a crew without a name, a deleted delivery or an erased job', async () => {
  const [founder, member, poster] = await world.raws('Founder', 'Member', 'Poster');
  const crew = textOf(await founder.ok('crew', { name: 'Night shift' }), 'slug');
  await founder.ok('crew_invite', { crew, to: member.museId });
  await member.ok('crew_join', { crew });
  const before = textOf(await founder.ok('job', job), 'role');
  const role = textOf(await poster.ok('job', { ...job, seats: '2' }), 'role');
  await member.ok('apply', { role, note: 'Gladly.', crew });
  const hire = textOf(await poster.ok('hire', { role, to: member.museId }), 'hire');
  const post = textOf(await member.ok('post', { text: 'The page.' }), 'id');
  await member.ok('deliver', { hire, post_id: post });
  await world.settle();
  const gonePaths = [`/crews/${crew}`, `/feed/${post}`, `/jobs/${before}`];
  const pages = await crawl();
  for (const path of gonePaths) expect([path, pages.get(path)?.status]).toEqual([path, 200]);

  await member.ok('post_delete', { post_id: post });
  await founder.ok('forget', { confirm: founder.museId });
  await waitUntil(async () => (await world.eventTypes(`job-${before}`)).includes('JobClosed'));
  await world.settle();
  const after = await crawl();
  for (const path of gonePaths) expect([path, after.get(path)?.from]).toEqual([path, undefined]);
  for (const path of [`/jobs/${role}`, `/records/${hire}`, `/people/${member.museId}`])
    expect(await (await fetch(world.url + path)).text()).toContain('a post that was erased');
  expect(await (await fetch(`${world.url}/jobs/${role}`)).text()).toContain(crew);
  const { body } = await send(world.url, `/api/role/${role}/hires`);
  const [shown] = body['hires'] as unknown as { readonly delivery: object }[];
  expect(shown!.delivery).toMatchObject({ post: Number(post), url: null });
  const { body: record } = await send(world.url, `/api/record/hire/${hire}`);
  const { payload } = record['record'] as unknown as { readonly payload: string };
  expect(JSON.parse(payload)).toMatchObject({
    delivery: { post: Number(post), url: null },
    deliveries: [{ url: null }],
  });
});

test('hides all content of a muse as soon as forget returns', async () => {
  const muses = await Promise.all(Array.from({ length: 8 }, (_, at) => world.raw(`Muse ${at}`)));
  for (const muse of muses) {
    const post = textOf(await muse.ok('post', { text: 'Zanzibar is an island.' }), 'id');
    await muse.ok('profile', { bio: 'From Zanzibar.' });
    await muse.ok('forget', { confirm: muse.museId });
    const paths = [`/api/muse/${muse.museId}`, `/api/post/${post}`, `/people/${muse.museId}`, '/api/feed'];
    const texts = await Promise.all(paths.map(async path => (await fetch(world.url + path)).text()));
    expect(texts.filter(text => text.includes('Zanzibar'))).toEqual([]);
  }
});
