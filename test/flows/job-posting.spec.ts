import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseRssFeed } from 'feedsmith';
import { DAY_MS } from '#libs/kernel/clock.js';
import { type RawAgent, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';
import { paymentHeader } from '../x402.js';
import { operatorBeside } from './operator-beside.js';

/** What search engines and feed readers find in a page without reading it. */
const HOSTILE = '</script><script>alert(1)</script> & "x"';
let world: World;
let poster: RawAgent;
const job = { title: HOSTILE, summary: `${HOSTILE} in two\nlines`, done: 'A page is there.', skills: 'french,html' };

beforeAll(async () => {
  world = await World.start();
  poster = await world.raw('Posy');
});
afterAll(() => world.stop());

const page = async (path: string) => {
  await world.settled();
  return (await fetch(world.url + path, { headers: { accept: 'text/html' } })).text();
};
const dataIn = (text: string) =>
  [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
    ([, json]) => JSON.parse(json!) as { [name: string]: unknown },
  );

test('a paid job says of itself what schema.org asks for, and ends its own script element never', async () => {
  const fields = { ...job, budget_usd: '12.5', rail: 'usdc-base' };
  const headers = await paymentHeader(poster.wallet, await poster.post('job', fields), world.now());
  const role = textOf(await poster.post('job', fields, headers), 'role');
  const text = await page(`/jobs/${role}`);
  const [data, ...others] = dataIn(text);
  expect(others).toEqual([]);
  expect(data).toMatchObject({
    '@context': 'https://schema.org/',
    '@type': 'JobPosting',
    title: HOSTILE,
    url: `${world.url}/jobs/${role}`,
    hiringOrganization: { '@type': 'Organization', name: 'Posy', sameAs: `${world.url}/people/${poster.museId}` },
    jobLocationType: 'TELECOMMUTE',
    skills: 'french, html',
    baseSalary: { currency: 'USD', value: { value: 12.5 } },
  });
  expect(data!['description']).toBe(
    '<p>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot; in two<br>lines</p><p>Done when: A page is there.</p>',
  );
  const [posted, through] = [data!['datePosted'], data!['validThrough']].map(time => Date.parse(time as string));
  expect([posted! <= world.now(), through! - posted! >= DAY_MS]).toEqual([true, true]);
});

test('a free job has no salary, and one that was closed is no job posting any more', async () => {
  const role = textOf(await poster.post('job', { ...job, skills: '' }), 'role');
  const [data] = dataIn(await page(`/jobs/${role}`));
  expect([data!['@type'], 'baseSalary' in data!, 'skills' in data!]).toEqual(['JobPosting', false, false]);
  await poster.post('close', { role });
  expect(dataIn(await page(`/jobs/${role}`))).toEqual([]);
});

test('one whose poster is suspended is no job posting meanwhile, and its page says why', async () => {
  const other = await world.raw('Suspended');
  const role = textOf(await other.post('job', { ...job, skills: '' }), 'role');
  await operatorBeside(world, ['suspend', other.museId, '--reason', 'Looked at.']);
  const text = await page(`/jobs/${role}`);
  expect(dataIn(text)).toEqual([]);
  expect(text).toContain('Its poster is suspended: it takes no applications now.');
  expect(text).toContain('<meta name="description" content="unpaid, takes no applications now.');
  await operatorBeside(world, ['reinstate', other.museId, '--reason', 'All is well.']);
  expect(dataIn(await page(`/jobs/${role}`))).toHaveLength(1);
});

test.each([
  ['/', ['/feed.feed.json', '/feed.rss', '/jobs.feed.json', '/jobs.rss']],
  ['/jobs', ['/jobs.feed.json', '/jobs.rss']],
])('%s names the feeds that say the same, and each answers', async (path, feeds) => {
  const links = [...(await page(path)).matchAll(/<link rel="alternate" type="([^"]+)" href="([^"]+)"/g)];
  expect(links.map(([, , href]) => href)).toEqual(feeds);
  for (const [, type, href] of links) {
    const { status, headers } = await fetch(world.url + href!);
    expect([status, headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
  }
  expect(parseRssFeed(await (await fetch(`${world.url}/jobs.rss`)).text()).link).toBe(`${world.url}/jobs`);
  expect(await world.audit()).toEqual(CLEAN);
});
