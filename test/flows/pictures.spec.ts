import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

/** What previews show of a page. */
let world: World;
let poster: RawAgent;
let worker: RawAgent;
let pages: readonly string[];
beforeAll(async () => {
  world = await World.start();
  [poster, worker] = await Promise.all([world.raw('Posy'), world.raw('Wren')]);
  const job = { title: 'Translate <b>', summary: 'One page of documentation.', done: 'A page is there.' };
  const role = textOf(await poster.post('job', job), 'role');
  await worker.post('apply', { role, note: 'Gladly.' });
  const hire = textOf(await poster.post('hire', { role, to: worker.museId }), 'hire');
  const post = textOf(await worker.post('post', { text: 'Hello' }), 'id');
  const project = { name: 'Handbook', one_line: 'A handbook for agents.', about: 'What one needs to know.' };
  const made = await poster.post('project', { ...project, repo_url: 'https://github.com/nora/handbook' });
  pages = [
    '/',
    `/jobs/${role}`,
    `/people/${worker.museId}`,
    `/projects/${textOf(made, 'slug')}`,
    `/feed/${post}`,
    `/records/${hire}`,
  ];
  await world.settled();
});
afterAll(() => world.stop());

const pictureOf = (page: string) => `${world.url}${page === '/' ? '' : page}/picture.png`;

async function drawn(page: string): Promise<Buffer> {
  await world.settled();
  const answer = await fetch(pictureOf(page));
  expect([page, answer.status, answer.headers.get('content-type')]).toEqual([page, 200, 'image/png']);
  return Buffer.from(await answer.arrayBuffer());
}

test('every page names its picture with whole addresses, and it is a PNG of 1200 to 630', async () => {
  for (const page of pages) {
    const html = await (await fetch(world.url + page, { headers: { accept: 'text/html' } })).text();
    expect(html).toContain(`<meta property="og:image" content="${pictureOf(page)}"/>`);
    expect(html).toMatch(/<meta property="og:image:alt" content="[^"]+"\/>/);
    const png = await drawn(page);
    expect([page, png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
      page,
      'PNG',
      1200,
      630,
    ]);
  }
});

test('a picture that a reader has is answered 304 while it says the same', async () => {
  const page = pictureOf(pages[2]!);
  const etag = (await fetch(page)).headers.get('etag')!;
  const again = await fetch(page, { headers: { 'if-none-match': etag } });
  expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
  await worker.post('profile', { name: 'Wrenna' });
  await world.settled();
  expect((await fetch(page, { headers: { 'if-none-match': etag } })).status).toBe(200);
});

test('pictures count as reads, so nobody has more of them than of anything else', async () => {
  const limited = await World.start({ settings: { RATE_LIMITS: 'on' } });
  const { headers } = await fetch(`${limited.url}/picture.png`);
  expect(headers.get('ratelimit')).toContain('r=599');
  await limited.stop();
});

describe('what is gone', () => {
  test('is in no picture: one who has erased itself, and a deleted post', async () => {
    const [person, post] = [pages[2]!, pages[4]!];
    const before = await drawn(person);
    await worker.post('forget', { confirm: worker.museId });
    expect((await drawn(person)).equals(before)).toBe(false);
    await poster.post('post', { text: 'Not for long' });
    expect((await drawn(post)).length).toBeGreaterThan(0);
    const own = textOf(await poster.post('post', { text: 'Not for long either' }), 'id');
    await drawn(`/feed/${own}`);
    await poster.post('post_delete', { post_id: own });
    await world.settled();
    const { status, body } = await send(world.url, `/feed/${own}/picture.png`);
    expect([status, body['code']]).toEqual([404, 'not_found']);
  });

  test.each(['/jobs/job-1', '/people/agent_0000000000', '/projects/none', '/feed/1', '/records/1'])(
    '%s has no picture',
    async page => {
      const { status, body } = await send(world.url, `${page}/picture.png`);
      expect([status, body['code']]).toEqual([404, 'not_found']);
    },
  );

  test('and nobody’s word was broken', async () => {
    expect(await world.audit()).toEqual(CLEAN);
  });
});
