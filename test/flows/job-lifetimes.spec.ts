import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseRssFeed } from 'feedsmith';
import type { AgentClient } from '#libs/client/index.js';
import { DAY_MS, HOUR_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { STATES_PER_DOCUMENT } from '#libs/features/hires/views/later-states.js';
import { Pages } from '../pages.js';
import { JOB, type RawAgent, send } from '../raw-agent.js';
import { World } from '../world.js';
import { operatorBeside } from './operator-beside.js';
import { useWorld } from '../use-world.js';

describe('posting a job', () => {
  const HOSTILE = '</script><script>alert(1)</script> & "x"';
  const world = useWorld();
  let poster: RawAgent;
  const job = { title: HOSTILE, summary: `${HOSTILE} in two\nlines`, done: 'A page is there.', skills: 'french,html' };

  beforeAll(async () => {
    poster = await world.raw('Posy');
  });

  const page = async (path: string) => {
    await world.settle();
    return (await fetch(world.url + path, { headers: { accept: 'text/html' } })).text();
  };
  const dataIn = (text: string) =>
    [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)].map(
      ([, json]) => JSON.parse(json!) as { [name: string]: unknown },
    );

  test('a paid job has the schema.org fields and cannot break out of its script element', async () => {
    const fields = { ...job, budget_usd: '12.5', rail: 'usdc-base' };
    const role = await poster.postJob(fields);
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

  test('a free job has no salary, and a closed job has no structured data', async () => {
    const role = await poster.postJob({ ...job, skills: '' });
    const [data] = dataIn(await page(`/jobs/${role}`));
    expect([data!['@type'], 'baseSalary' in data!, 'skills' in data!]).toEqual(['JobPosting', false, false]);
    await poster.post('close', { role });
    expect(dataIn(await page(`/jobs/${role}`))).toEqual([]);
  });

  test('a job of a suspended poster has no structured data, and its page says why', async () => {
    const other = await world.raw('Suspended');
    const role = await other.postJob({ ...job, skills: '' });
    await operatorBeside(world, ['suspend', other.museId, '--reason', 'Looked at.']);
    const text = await page(`/jobs/${role}`);
    expect(dataIn(text)).toEqual([]);
    expect(text).toContain('The poster is suspended, so the job takes no applications now.');
    expect(text).toContain('<meta name="description" content="no pay, takes no applications now.');
    await operatorBeside(world, ['reinstate', other.museId, '--reason', 'All is well.']);
    expect(dataIn(await page(`/jobs/${role}`))).toHaveLength(1);
  });

  test.each([
    ['/', ['/feed.feed.json', '/feed.rss', '/jobs.feed.json', '/jobs.rss']],
    ['/jobs', ['/jobs.feed.json', '/jobs.rss']],
  ])('%s links to its feeds, and each link returns 200', async (path, feeds) => {
    const links = [...(await page(path)).matchAll(/<link rel="alternate" type="([^"]+)" href="([^"]+)"/g)];
    expect(links.map(([, , href]) => href)).toEqual(feeds);
    for (const [, type, href] of links) {
      const { status, headers } = await fetch(world.url + href!);
      expect([status, headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    }
    expect(parseRssFeed(await (await fetch(`${world.url}/jobs.rss`)).text()).link).toBe(`${world.url}/jobs`);
  });
});

describe('a job that is edited while hired', () => {
  const world = useWorld();

  const TRIES = 8;

  /** Returns the commitment in the signed record and the note of the application. */
  async function recorded(path: string) {
    const { record } = (await send(world.url, `/api/record/${path}`)).body as unknown as {
      record: { payload: string };
    };
    return JSON.parse(record.payload) as { note_commitment: string; note_salt: string };
  }

  test('an edit of the application during the hire never contradicts the hire record', async () => {
    const [poster, worker] = [await world.raw('Paula'), await world.raw('Willa')];
    for (let turn = 0; turn < TRIES; turn += 1) {
      const role = await poster.postJob({ title: `Page ${turn}` });
      await worker.post('apply', { role, note: 'First.' });
      const [hired, edited] = await Promise.all([
        poster.post('hire', { role, to: worker.museId }),
        worker.post('apply', { role, note: 'Second.' }),
      ]);
      expect(hired).toMatchObject({ status: 200 });
      expect([edited.status, edited.body['code']]).toEqual(
        edited.status === 200 ? [200, undefined] : [409, 'already_hired'],
      );
      await world.settle();
      const shown = (await send(world.url, `/api/role/${role}`)).body as unknown as {
        applications: { note: string }[];
      };
      const { note } = shown.applications[0]!;
      const records = [`hire/${JSON.stringify(hired.body['hire'])}`, `application/${role}:${worker.museId}`];
      for (const path of records) {
        const { note_commitment, note_salt } = await recorded(path);
        const salted = Buffer.concat([Buffer.from(note_salt, 'hex'), Buffer.from(note)]);
        expect([path, sha256Hex(salted)]).toEqual([path, note_commitment]);
      }
      if (edited.status === 409) expect(note).toBe('First.');
    }
  });
});

describe('roles with an expiry', () => {
  const world = useWorld();
  let ada: RawAgent;

  beforeAll(async () => {
    ada = await world.raw('Ada');
  });

  const slugs = async () => {
    const { body } = await send(world.url, '/api/roles');
    return (body['roles'] as { slug: string }[]).map(({ slug }) => slug);
  };
  const statusOf = async (role: string) =>
    ((await send(world.url, `/api/role/${role}`)).body['role'] as { status: string }).status;

  test('a cached list drops a role once the clock has closed it', async () => {
    const post = (hours: number) => ada.postJob({ expires_at: String(world.now() + hours * HOUR_MS) });
    const [soon, late] = [await post(1), await post(2)];
    const both = expect.arrayContaining([soon, late]) as unknown;
    for (const _again of [1, 2]) expect([await slugs(), await statusOf(soon)]).toEqual([both, 'open']);
    await world.advance(HOUR_MS + SECOND_MS);
    expect([await slugs(), await statusOf(soon), await statusOf(late)]).toEqual([
      expect.not.arrayContaining([soon]),
      'closed',
      'open',
    ]);
    expect(await slugs()).toContain(late);
    await world.advance(HOUR_MS);
    expect([await slugs(), await statusOf(late)]).toEqual([expect.not.arrayContaining([late]), 'closed']);
  });

  test('a poster gets one item for a job that expires with a free seat', async () => {
    const [poster, worker] = await world.raws('Poster', 'Worker');
    const expires_at = String(world.now() + HOUR_MS);
    const free = await poster.postJob({ expires_at, seats: '3' });
    await poster.hireFor(free, worker);
    await poster.hire(worker, { expires_at });
    await poster.ok('close', { role: await poster.postJob({ expires_at }) });
    await world.settle();
    const read = async (agent: RawAgent, wait = '0') =>
      (await agent.ok('inbox', { wait })).body['items'] as { kind: string }[];
    expect(await read(poster)).toMatchObject([{ kind: 'application' }, { kind: 'application' }]);
    await world.advance(HOUR_MS + SECOND_MS);
    expect(await read(poster, '25')).toMatchObject([
      { kind: 'job_expired', role: free, seats_left: 2, title: 'A page' },
    ]);
    expect(await read(poster, '1')).toEqual([]);
    expect((await read(worker)).map(({ kind }) => kind)).toEqual(['hired', 'hired']);
  });
});

describe('long hires', () => {
  /** More versions than the document of a hire holds. */
  const VERSIONS = 5;
  let pages: Pages;
  let world: World;

  beforeAll(async () => {
    pages = await Pages.start();
    world = await World.start({ settings: { FETCH_ALLOW: pages.host } });
  });
  afterAll(async () => {
    await world.stop();
    await pages.stop();
  });

  test('has all versions, rechecks and states in its record', async () => {
    const [poster, worker, ...checkers] = (await world.agents('poster', 'worker', 'ada', 'bo')) as [
      AgentClient,
      AgentClient,
      AgentClient,
      AgentClient,
    ];
    const { role } = await poster.job(JOB);
    await worker.apply({ role, note: 'Gladly.' });
    const { hire } = await poster.hire({ role, to: worker.museId });
    for (let version = 1; version <= VERSIONS; version += 1) {
      await worker.deliver({ hire, url: `${pages.url}/long-${version}` });
      for (const checker of checkers) await checker.recheck({ hire, result: 'held', scope: 'Read the whole page.' });
    }
    const [ada, bo] = checkers;
    const { recheck } = await ada.recheck({ hire, result: 'broke', scope: 'Read it again, and it differs.' });
    await worker.recheckReply({ hire, recheck, text: 'It is mended.' });
    const { check_counts } = await bo.recheck({ hire, result: 'held', scope: 'Read it once more.' });
    expect(check_counts).toEqual({ held: 1, broke: 1 });
    await ada.recheck({ hire, result: 'held', scope: 'It is mended indeed.' });
    await world.settle();

    const { record } = await world.reader().hireRecord({ hire });
    const payload = JSON.parse(record.payload) as {
      readonly deliveries: readonly { readonly version: number }[];
      readonly rechecks: readonly { readonly by: string; readonly replies: readonly object[] }[];
      readonly states: readonly { readonly revision: number; readonly at: string }[];
      readonly issued_at: string;
    };
    expect(payload.deliveries.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
    expect(payload.rechecks).toHaveLength(2 * VERSIONS);
    expect(payload.rechecks.at(-1)).toMatchObject({ by: ada.museId, replies: [{ text: 'It is mended.' }] });
    expect(payload.states.length).toBeGreaterThan(2 * STATES_PER_DOCUMENT);
    expect(payload.states.map(({ revision }) => revision)).toEqual(payload.states.map((_state, at) => at));
    expect(payload.issued_at).toBe(payload.states.at(-1)!.at);
    expect(payload).toMatchObject({ check_counts: { held: 2, broke: 0 }, last_recheck: { by: ada.museId } });

    const { items } = await world.reader().feed({ kind: 'hires' });
    expect(items.find(({ kind }) => kind === 'hired')).toMatchObject({
      check_counts: { held: 2, broke: 0 },
      recheck_reply: { by: worker.museId, text: 'It is mended.' },
    });
  });
});
