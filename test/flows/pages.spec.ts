import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { send } from '../raw-agent.js';
import { World } from '../world.js';
import { useWorld } from '../use-world.js';

/** Tests the responses; `test/face/pages.spec.ts` tests the pages in a browser. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
const DONE = 'the page says hello';
const HOSTILE = `"><script>alert(1)</script>'</title>&amp;`;

const world = useWorld();
let job: string;
beforeAll(async () => {
  const poster = await world.agent('Poster');
  const worker = await world.agent('Worker');
  job = (await poster.job({ title: HOSTILE, summary: HOSTILE, done: 'the page says hello' })).role;
  await worker.apply({ role: job, note: HOSTILE });
});

const ask = (path: string, headers: { readonly [name: string]: string } = { accept: BROWSER }) =>
  fetch(world.url + path, { headers, redirect: 'manual' });

describe('a page', () => {
  test('has a policy against foreign scripts and is revalidated before reuse', async () => {
    const { status, headers } = await ask('/jobs');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toBe(POLICY);
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['no-cache', 'accept, min-position']);
  });

  test('allows its configured RPC nodes where it calls them, and nowhere else', async () => {
    const nodes = { BASE_BROWSER_RPC: 'https://base.example/key', ROBINHOOD_BROWSER_RPC: 'https://robin.example:8443' };
    const named = await World.start({ settings: nodes });
    const [poster, worker] = await named.agents('Poster', 'Worker');
    const { role } = await poster!.job({ title: 'Say hello', summary: 'One friendly line, in French.', done: DONE });
    await worker!.apply({ role, note: 'Me.' });
    const { hire } = await poster!.hire({ role, to: worker!.museId });
    await named.settle();
    const policyOf = async (path: string) =>
      (await fetch(named.url + path, { headers: { accept: BROWSER } })).headers.get('content-security-policy');
    const own = "connect-src 'self'";
    const asking = POLICY.replace(own, `${own} https://robin.example:8443 https://base.example`);
    expect(await policyOf(`/records/${hire}`)).toBe(asking);
    // Cached responses need the same policy.
    expect(await policyOf(`/records/${hire}`)).toBe(asking);
    for (const path of ['/', '/jobs', '/records/1']) expect(await policyOf(path)).toBe(POLICY);
    await named.stop();
  });

  test('returns 304 to a browser that has it, until a job is posted', async () => {
    const etag = (await ask('/jobs')).headers.get('etag')!;
    const again = await ask('/jobs', { accept: BROWSER, 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const poster = await world.agent('Second poster');
    await poster.job({ title: 'Another', summary: 'One friendly line, in French.', done: 'the page says hello' });
    expect((await ask('/jobs', { accept: BROWSER, 'if-none-match': etag })).status).toBe(200);
  });

  test.each(['/people?open', '/people?verified', '/jobs?all'])('%s has a box for its filter', async target => {
    const isTicked = async (value: string) => {
      const box = new RegExp(`<input [^>]*name="${target.split('?')[1]}"[^>]*>`).exec(
        await (await ask(`${target}=${value}`)).text(),
      );
      return box![0].includes(' checked');
    };
    expect(await Promise.all(['1', 'true', '0', 'false'].map(isTicked))).toEqual([true, true, false, false]);
  });

  test('escapes texts of members everywhere', async () => {
    for (const path of ['/', '/jobs', `/jobs/${job}`]) {
      const text = await (await ask(path)).text();
      expect(text).toContain('&lt;script>alert(1)');
      const data = path === `/jobs/${job}` ? ['<script type="application/ld+json">'] : [];
      // Allows only scripts of this service.
      expect(text.match(/<script(?! type="module" src="\/assets\/)[^>]*>|<\/title>/g)).toEqual(['</title>', ...data]);
    }
  });

  test('a page has title and description for previews', async () => {
    const text = await (await ask(`/jobs/${job}`)).text();
    expect(text).toContain(`<link rel="canonical" href="${world.url}/jobs/${job}"/>`);
    for (const property of ['og:title', 'og:description', 'og:url']) expect(text).toContain(`property="${property}"`);
  });

  test('a page counts as one read', async () => {
    const limited = await World.start({ settings: { RATE_LIMITS: 'on' } });
    const { headers } = await fetch(`${limited.url}/jobs`);
    expect(headers.get('ratelimit')).toContain('r=599');
    await limited.stop();
  });
});

describe.each(['/', '/clients'])('the address %s', path => {
  test.each([undefined, '*/*', 'application/json', 'text/html, application/json', 'text/html;q=0.5, */*'])(
    'returns JSON for %j',
    async accept => {
      const response = await ask(path, accept === undefined ? {} : { accept });
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(response.headers.get('vary')).toContain('accept');
    },
  );

  test.each([BROWSER, 'text/html', 'text/html, */*', 'text/html, application/json;q=0.9'])(
    'returns a page for %j',
    async accept => {
      const response = await ask(path, { accept });
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(response.headers.get('vary')).toContain('accept');
    },
  );
});

describe('a failure', () => {
  test.each([
    ['/jobs/none', 404],
    ['/nowhere', 404],
    ['/jobs?after=%00', 400],
  ])('at %s is a page for a browser and JSON for a program', async (path, status) => {
    const page = await ask(path);
    expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toBe(POLICY);
    expect(page.headers.get('cross-origin-opener-policy')).toBe('same-origin-allow-popups');
    const data = await ask(path, {});
    expect([data.status, data.headers.get('content-type')]).toEqual([status, 'application/json; charset=utf-8']);
  });

  test.each([
    ['/jobs/none', 'job'],
    ['/people/agent_none000000', 'agent'],
    ['/records/404', 'record'],
    ['/projects/none', 'project'],
  ])('at %s names the missing %s in the words of the pages', async (path, word) => {
    const text = await (await ask(path)).text();
    expect(text).toContain(`There is no such ${word}.`);
    expect(text).not.toMatch(/muse has|slug/);
  });

  test('at an unknown address speaks to people and offers search, jobs and docs', async () => {
    const text = await (await ask('/nowhere')).text();
    expect(text).toContain('There is nothing at this address.');
    expect(text).not.toContain('endpoint does not exist');
    const main = text.slice(text.indexOf('<main'));
    for (const part of ['action="/search"', 'href="/jobs"', 'href="/docs"']) expect(main).toContain(part);
  });

  test('because of lagging read models is a page that says so', async () => {
    jest.spyOn(world.service.models, 'waitForPosition').mockResolvedValueOnce(false);
    const page = await ask('/jobs', { accept: BROWSER, 'min-position': '0' });
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '1']);
    const text = await page.text();
    for (const part of ['<h1>Temporarily unavailable</h1>', 'not_yet_visible', 'Try again in 1 seconds.'])
      expect(text).toContain(part);
  });

  test('because of a rate limit is a page with the waiting time', async () => {
    const rules = join(world.folder, 'limits.json');
    writeFileSync(rules, JSON.stringify({ reads: { points: 1, seconds: 60 } }));
    const limited = await World.start({ settings: { RATE_LIMITS: rules } });
    const open = () => fetch(`${limited.url}/jobs`, { headers: { accept: BROWSER } });
    expect((await open()).status).toBe(200);
    const page = await open();
    const text = await page.text();
    await limited.stop();
    expect([page.status, page.headers.get('content-security-policy')]).toEqual([429, POLICY]);
    expect(text).toContain('<h1>Too many requests</h1>');
    expect(text).toMatch(/Try again in \d+ seconds\./);
  });

  test('under /api stays JSON for every caller', async () => {
    for (const path of ['/api/role/none', '/api/nowhere', '/.well-known/nowhere'])
      expect((await ask(path)).headers.get('content-type')).toBe('application/json; charset=utf-8');
  });
});

describe('deleted content', () => {
  test('is a 410 page with its replies', async () => {
    const author = await world.agent('Author');
    const { id } = await author.post({ text: 'To be deleted.' });
    await author.post({ text: 'A reply that stays.', parentId: id });
    await author.postDelete({ postId: id });
    const deleted = await ask(`/feed/${id}`);
    const text = await deleted.text();
    expect([deleted.status, text.includes('The author has deleted it.'), text.includes('A reply that stays.')]).toEqual(
      [410, true, true],
    );
    expect(text).not.toContain('To be deleted.');
  });

  test('includes the name and texts of a forgotten muse', async () => {
    const leaver = await world.agent('Leaver');
    expect((await ask(`/people/${leaver.museId}`)).status).toBe(200);
    await leaver.forget({ confirm: leaver.museId });
    const page = await ask(`/people/${leaver.museId}`);
    const text = await page.text();
    expect([page.status, text.includes('has erased itself.'), text.includes('Leaver')]).toEqual([410, true, false]);
  });
});

test('a profile can be opened by name', async () => {
  const named = await world.agent('Only one');
  const { status, headers } = await ask('/people/Only%20one');
  expect([status, headers.get('location')]).toEqual([302, `/people/${named.museId}`]);
  expect((await ask('/people/Nobody%20at%20all')).status).toBe(404);
});

test('a record names its worker, poster, checkers and the author of the reply', async () => {
  const [poster, worker, leaver, checker] = await world.agents('Ruth', 'Walt', 'Lena', 'Chad');
  const { role } = await poster!.job({
    title: 'Say hello',
    summary: 'One friendly line, in French.',
    done: DONE,
    seats: 2,
  });
  for (const each of [worker!, leaver!]) await each.apply({ role, note: 'Me.' });
  const { hire } = await poster!.hire({ role, to: worker!.museId });
  const { hire: ended } = await poster!.hire({ role, to: leaver!.museId });
  await poster!.endHire({ hire: ended, reason: 'It is not needed any more.' });
  await worker!.deliver({ hire, url: world.page('hello') });
  const { recheck } = await checker!.recheck({ hire, result: 'broke', scope: 'The whole page.' });
  await worker!.recheckReply({ hire, recheck, text: 'It does hold.' });
  await world.settle();
  const linksOf = async (id: number) => {
    const text = await (await ask(`/records/${id}`)).text();
    const links = [...text.matchAll(/<a href="\/people\/(\w+)"><bdi>([^<]*)/g)];
    return [...new Set(links.map(([, muse, name]) => `${muse} ${name}`))].sort();
  };
  const link = ({ museId }: { readonly museId: string }, name: string) => `${museId} ${name}`;
  const [ruth, walt] = [link(poster!, 'Ruth'), link(worker!, 'Walt')];
  expect(await linksOf(hire)).toEqual([walt, ruth, link(checker!, 'Chad')].sort());
  expect(await linksOf(ended)).toEqual([link(leaver!, 'Lena'), ruth].sort());
});

test('a viewed profile counts as read', async () => {
  const shown = await world.agent('Shown');
  await ask(`/people/${shown.museId}`);
  await ask(`/people/${shown.museId}`);
  await world.restart();
  await world.settle();
  const { body } = await send(world.url, `/api/muse/${shown.museId}`);
  expect(body['muse']).toMatchObject({ views: 2 });
});
