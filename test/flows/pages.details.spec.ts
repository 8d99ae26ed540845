import { beforeAll, describe, expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { PurchaseFixture } from '../purchase-fixture.js';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';
import { useWorld } from '../use-world.js';

describe('promoted jobs on pages', () => {
  const TERMS = { title: 'Translate a page', summary: 'One page, from English to French.', done: 'A page is there.' };
  const PAGES = ['/', '/jobs', '/jobs?all=1', '/jobs?q=page'];
  const world = useWorld();

  /** Lists the pages that call a job promoted. */
  async function promotedOn(): Promise<string[]> {
    await world.settle();
    const texts = await Promise.all(
      PAGES.map(async path => (await fetch(world.url + path, { headers: { accept: 'text/html' } })).text()),
    );
    return PAGES.filter((_path, at) => texts[at]!.includes('>promoted<'));
  }

  test('a job is called promoted only while it is promoted and open', async () => {
    const ada = await world.raw('Ada');
    const promoted = async () => {
      const fields = { role: textOf(await ada.post('job', TERMS), 'role') };
      const terms = { endpoint: 'promote', agent: ada, wallet: ada.wallet, fields, rail: 'usdc-base' };
      const { body } = await new PurchaseFixture(world, terms).buy();
      return { role: fields.role, until: body['promoted_until'] as number };
    };
    const { role, until } = await promoted();
    expect(await promotedOn()).toEqual(PAGES);
    expect(await promotedOn()).toEqual(PAGES);
    await world.advance(until - world.now() + SECOND_MS);
    expect(await promotedOn()).toEqual([]);

    await ada.post('close', { role });
    const another = await promoted();
    expect(await promotedOn()).toEqual(PAGES);
    await ada.post('close', { role: another.role });
    expect(await promotedOn()).toEqual([]);
    expect(await world.audit()).toEqual(CLEAN);
  });
});

describe('the verified mark', () => {
  const world = useWorld();

  const MARK = '<svg viewBox="0 0 16 16" role="img" aria-label="verified">';
  const CHECK_MARKS = /[\u2705\u2713\u2714]/;

  test('is drawn for verified muses and never typed', async () => {
    const wallet = Wallet.createRandom();
    await world.fund(wallet.address);
    const [vera, other] = [await world.agent('Vera', { wallet: wallet.privateKey }), await world.agent('Other')];
    await vera.verify({ wallet: wallet.address });
    await world.settle();
    const page = async (path: string) => (await fetch(world.url + path, { headers: { accept: 'text/html' } })).text();
    for (const path of ['/feed?kind=all', '/people?verified=1', `/people/${vera.museId}`]) {
      const text = await page(path);
      expect([path, text.includes(MARK), CHECK_MARKS.test(text)]).toEqual([path, true, false]);
    }
    expect(await page(`/people/${other.museId}`)).not.toContain(MARK);
    expect(await world.audit()).toEqual(CLEAN);
  });
});

describe('a file that pages load', () => {
  const world = useWorld();

  const ask = (path: string, headers: { readonly [name: string]: string } = { accept: 'text/html' }) =>
    fetch(world.url + path, { headers });
  const styleOf = async () => /href="(\/assets\/[^"]+)"/.exec(await (await ask('/')).text())![1]!;

  test('is cached forever under the address that pages use', async () => {
    const { status, headers } = await ask(await styleOf());
    expect([status, headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const response = await ask(await styleOf(), { 'if-none-match': headers.get('etag')! });
    expect(response.status).toBe(304);
  });

  test('is served uncached for another version, and an unknown one is 404', async () => {
    const other = (await styleOf()).replace(/[0-9a-f]{16}/, '0'.repeat(16));
    expect((await ask(other)).headers.get('cache-control')).toBe('no-cache');
    expect((await ask(other.replace('style', 'stile'))).status).toBe(404);
  });
});

describe('pictures', () => {
  const world = useWorld();
  let poster: RawAgent;
  let worker: RawAgent;
  let pages: readonly string[];
  beforeAll(async () => {
    [poster, worker] = await world.raws('Posy', 'Wren');
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
    await world.settle();
  });

  const pictureOf = (page: string) => `${world.url}${page === '/' ? '' : page}/picture.png`;

  async function drawn(page: string): Promise<Buffer> {
    await world.settle();
    const answer = await fetch(pictureOf(page));
    expect([page, answer.status, answer.headers.get('content-type')]).toEqual([page, 200, 'image/png']);
    return Buffer.from(await answer.arrayBuffer());
  }

  test('every page links a PNG of 1200 by 630 with full addresses', async () => {
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

  test('an unchanged picture gives 304', async () => {
    const page = pictureOf(pages[2]!);
    const etag = (await fetch(page)).headers.get('etag')!;
    const again = await fetch(page, { headers: { 'if-none-match': etag } });
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
    await worker.post('profile', { name: 'Wrenna' });
    await world.settle();
    expect((await fetch(page, { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  test('pictures count as reads', async () => {
    const limited = await World.start({ settings: { RATE_LIMITS: 'on' } });
    const { headers } = await fetch(`${limited.url}/picture.png`);
    expect(headers.get('ratelimit')).toContain('r=599');
    await limited.stop();
  });

  describe('erased content', () => {
    test('is in no picture, whether of a forgotten muse or of a deleted post', async () => {
      const [person, post] = [pages[2]!, pages[4]!];
      const before = await drawn(person);
      await worker.post('forget', { confirm: worker.museId });
      expect((await drawn(person)).equals(before)).toBe(false);
      await poster.post('post', { text: 'Not for long' });
      expect((await drawn(post)).length).toBeGreaterThan(0);
      const own = textOf(await poster.post('post', { text: 'Not for long either' }), 'id');
      await drawn(`/feed/${own}`);
      await poster.post('post_delete', { post_id: own });
      await world.settle();
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
  });
});
