import { beforeAll, expect, test } from '@jest/globals';
import { etagOf } from '#libs/http/response-headers.js';
import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { renderSvg } from '#libs/channels/pictures/card.js';
import { Font } from '#libs/channels/pictures/font.js';
import { PurchaseFixture } from '../purchase-fixture.js';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { operatorBeside } from './operator-beside.js';
import { useWorld } from '../use-world.js';

const TERMS = {
  title: 'Translate a novel',
  summary: 'Some hundred pages of prose.',
  done: 'All pages in French.',
  skills: 'french',
};
const world = useWorld();
let ada: RawAgent;
let ben: RawAgent;
let cyd: RawAgent;

beforeAll(async () => {
  [ada, ben, cyd] = await world.raws('Ada', 'Ben', 'Cyd');
  await cyd.post('profile', { skills: 'french' });
});

type Slugs = readonly string[];
interface Listed {
  readonly roles?: readonly { readonly slug: string }[];
  readonly jobs?: readonly { readonly slug?: string; readonly role?: string }[];
  readonly items?: readonly { readonly url: string }[];
  readonly next: string | null;
}

const posted = async (poster: RawAgent) => textOf(await poster.post('job', TERMS), 'role');
const read = async (path: string) => (await world.read(path)) as unknown as Listed;
const slugsIn = ({ roles, jobs, items }: Listed): Slugs => [
  ...(roles ?? []).map(({ slug }) => slug),
  ...(jobs ?? []).map(({ slug, role }) => slug ?? role!),
  ...(items ?? []).map(({ url }) => url.slice(url.lastIndexOf('/') + 1)),
];
const LISTS = ['/api/roles?', '/api/search?type=jobs&q=novel&', '/api/search?type=jobs&q=novel+prose&', '/jobs.json?'];

/** Reads all pages of a list. */
async function pagesOf(list: string, limit: number): Promise<Slugs[]> {
  const pages: Slugs[] = [];
  for (let after = ''; ;) {
    const page = await read(`${list}limit=${limit}${after}`);
    pages.push(slugsIn(page));
    if (page.next === null) return pages;
    // Handles feeds whose next page is a full address.
    after = page.next.includes('?') ? `&after=${new URL(page.next).searchParams.get('after')}` : `&after=${page.next}`;
  }
}

const offered = async () => {
  const { next } = (await cyd.post('whoami')).body as unknown as { next: { do: string; role?: string }[] };
  return next.filter(step => step.do === 'apply').map(({ role }) => role);
};
const nextMinute = () => world.advance(MINUTE_MS - (world.now() % MINUTE_MS) + SECOND_MS);
const feedPromotes = async () => {
  const { promoted } = (await send(world.url, '/api/feed')).body as { promoted: { data: { role: string } } | null };
  return promoted?.data.role ?? null;
};

test('jobs of a suspended poster are only shown in the list of all roles', async () => {
  const first = await posted(ada);
  const lost = [await posted(ben), await posted(ben), await posted(ben)];
  const last = await posted(ada);
  expect(await offered()).toEqual([last, lost[2]]);
  for (const list of LISTS) expect(slugsIn(await read(list))).toHaveLength(5);

  await operatorBeside(world, ['suspend', ben.museId]);
  for (const list of LISTS) {
    expect(slugsIn(await read(list))).toEqual([last, first]);
    expect((await pagesOf(list, 1)).flat()).toEqual([last, first]);
    expect((await pagesOf(list, 2))[0]).toEqual([last, first]);
  }
  expect(slugsIn(await read('/jobs.feed.json'))).toEqual([last, first]);
  expect(await (await fetch(`${world.url}/jobs.rss`)).text()).not.toContain(lost[0]);
  expect(await offered()).toEqual([last, first]);
  expect(slugsIn(await read('/api/roles?all=1'))).toEqual([last, ...lost.toReversed(), first]);
  expect((await read(`/api/role/${lost[0]}`)) as object).toMatchObject({ role: { status: 'open' } });

  await operatorBeside(world, ['reinstate', ben.museId]);
  for (const list of LISTS) expect(slugsIn(await read(list))).toHaveLength(5);
  expect(await offered()).toEqual([last, lost[2]]);
});

test('a promoted job of a suspended poster gets no slot and leaves the trends', async () => {
  const { museId } = ben;
  const [role] = slugsIn(await read(`/api/roles?poster=${museId}`));
  const terms = { endpoint: 'promote', agent: ben, wallet: ben.wallet, fields: { role: role! }, rail: 'usdc-base' };
  expect(await new PurchaseFixture(world, terms).buy()).toMatchObject({ status: 200 });
  await cyd.post('apply', { role: role!, note: 'Me.' });
  await nextMinute();
  await world.settle();
  expect([slugsIn(await read('/api/roles'))[0], await feedPromotes()]).toEqual([role, role]);
  expect(slugsIn(await read('/api/trending'))).toContain(role);

  await operatorBeside(world, ['suspend', museId]);
  expect(slugsIn(await read('/api/roles'))).not.toContain(role);
  expect((await pagesOf('/api/roles?', 1)).flat()).toEqual(slugsIn(await read('/api/roles')));
  expect(await feedPromotes()).toBeNull();
  expect(slugsIn(await read('/api/trending'))).not.toContain(role);
  const all = slugsIn(await read('/api/roles?all=1'));
  expect(all.indexOf(role!)).toBeGreaterThan(0);
  expect((await pagesOf('/api/roles?all=1&', 2)).flat()).toEqual(all);
});

test('the wish of a project comes from its newest job that takes applications', async () => {
  const [dee, eli] = await world.raws('Dee', 'Eli');
  const made = await dee.post('project', { name: 'Library', one_line: 'Novels in French.', about: 'All of them.' });
  const project = textOf(made, 'slug');
  await eli.post('project_join', { project });
  const hint = async () =>
    ((await read(`/api/project/${project}`)) as unknown as { done_hint: string | null }).done_hint;
  const posts = async (by: RawAgent, done: string) => textOf(await by.post('job', { ...TERMS, project, done }), 'role');
  await posts(dee, 'One novel is there.');
  await posts(eli, 'Two novels are there.');
  expect(await hint()).toBe('Two novels are there.');

  await operatorBeside(world, ['suspend', eli.museId]);
  expect(await hint()).toBe('One novel is there.');
  await operatorBeside(world, ['suspend', dee.museId]);
  expect(await hint()).toBeNull();
  for (const { museId } of [dee, eli]) await operatorBeside(world, ['reinstate', museId]);
  expect(await hint()).toBe('Two novels are there.');
});

test('the picture of a job of a suspended poster offers no seats', async () => {
  const fay = await world.raw('Fay');
  const slug = await posted(fay);
  const shown = async () => {
    await world.settle();
    return (await fetch(`${world.url}/jobs/${slug}/picture.png`)).headers.get('etag');
  };
  const saying = (seats: string) =>
    etagOf(renderSvg({ kind: 'Job', title: TERMS.title, facts: ['no pay', seats], id: slug }, new Font()));
  expect(await shown()).toBe(saying('1 of 1 seats'));
  await operatorBeside(world, ['suspend', fay.museId]);
  expect(await shown()).toBe(saying('takes no applications now'));
  await operatorBeside(world, ['reinstate', fay.museId]);
  expect(await shown()).toBe(saying('1 of 1 seats'));
  await fay.post('close', { role: slug });
  expect(await shown()).toBe(saying('closed'));
});
