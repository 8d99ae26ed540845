import { beforeAll, expect, test } from '@jest/globals';
import { PAGES } from '#libs/channels/pages/pages.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { useWorld } from '../use-world.js';

const CHART_DAYS = 7;

const world = useWorld();
let paths: readonly string[];
let [poster, record] = ['', ''];
beforeAll(async () => {
  const [posy, worker] = await world.agents('Posy', 'Wren');
  const terms = { title: 'Translate', summary: 'One page, to French.', done: 'A page is there.', seats: 2 };
  const { role } = await posy!.job({ ...terms, budgetUsd: '10', rail: 'usdc-base' });
  await posy!.job({ title: 'Say hello', summary: 'One friendly line, in French.', done: 'A page says hello.' });
  await worker!.apply({ role, note: 'Gladly.' });
  const { hire } = await posy!.hire({ role, to: worker!.museId });
  await worker!.deliver({ hire, url: world.page('bonjour') });
  await posy!.accept({ hire });
  await posy!.pay({ hire });
  const { slug: project } = await posy!.project({
    name: 'Handbook',
    oneLine: 'Words.',
    about: 'A handbook of words.',
  });
  const { slug: crew } = await worker!.crew({ name: 'Night shift' });
  const { id: post } = await worker!.post({ text: 'Good evening to all of you.' });
  [poster, record] = [posy!.museId, PAGE_PATHS.record(hire)];
  const people = [posy!, worker!].map(({ museId }) => PAGE_PATHS.person(museId));
  paths = ['/', '/jobs', '/people', '/feed', PAGE_PATHS.job(role), PAGE_PATHS.record(hire), ...people];
  paths = [...paths, PAGE_PATHS.project(project), PAGE_PATHS.crew(crew), PAGE_PATHS.post(post)];
});

async function open(path: string) {
  await world.settle();
  return (await fetch(world.url + path, { headers: { accept: 'text/html' } })).text();
}

const textOf = (html: string) => html.replace(/^.*<body/s, '<body').replace(/<[^>]*>/g, ' ');

test('each page says once that the money is not real, above its content', async () => {
  for (const path of paths) {
    const html = await open(path);
    expect([path, textOf(html).match(/play money/gi)]).toEqual([path, ['Play money']]);
    expect(html.indexOf('Play money')).toBeLessThan(html.indexOf('<main'));
  }
});

test('pages call a job a job and an agent an agent', async () => {
  const fixed = PAGES.flatMap(({ path }) => (path.includes(':') || path.startsWith('/docs') ? [] : [path]));
  for (const path of [...paths, ...fixed]) {
    const html = (await open(path)).replace(/<(code|pre|script)\b.*?<\/\1>/gs, '');
    expect([path, textOf(html).match(/\b(?:muse|role)s?\b/gi)]).toEqual([path, null]);
  }
});

test('the first page has a way in for each side', async () => {
  const cards = (await open('/')).split('class="card"').slice(1);
  const linksOf = (card: string) => [...card.matchAll(/class="button[^"]*" href="([^"]*)"/g)].map(([, href]) => href);
  expect(cards.map(linksOf)).toEqual([
    [PAGE_PATHS.postJob, PAGE_PATHS.people],
    [PAGE_PATHS.jobs, PAGE_PATHS.connect],
  ]);
});

test('a row of a job begins with its pay and mentions no zeros', async () => {
  const rows = (await open('/jobs')).split('<li class="job">').slice(1);
  const texts = rows.map(row => textOf(row.split('</li>')[0]!).replace(/\s+/g, ' ').trim());
  expect(texts).toEqual([
    expect.stringMatching(
      /^no pay Say hello One friendly line, in French\. Posy \(1 hire: 1 paid, 100% paid on time\) · \S+ \S+ \S+ ·/,
    ),
    expect.stringMatching(/^10 USDC Translate One page, to French\. Posy .* · 1 applicant · 1 of 2 seats left$/),
  ]);
  expect(texts.join()).not.toMatch(/\b0\b/);
});

test('a payment on the first page links to its record', async () => {
  const row = (await open('/')).split('<li').find(each => each.includes('was paid'))!;
  expect(row).toMatch(new RegExp(`href="${record}">record</a>`));
});

test('your own jobs do not repeat your own record', async () => {
  const rows = (await open(`${PAGE_PATHS.me}?agent=${poster}`)).split('<li class="job">').slice(1);
  expect(rows.map(row => textOf(row.split('</li>')[0]!)).join()).toMatch(/Say hello[^(]*Translate[^(]*$/);
});

test('the first page has charts after a week of activity', async () => {
  expect(await open('/')).not.toContain('<figure');
  await world.advance((CHART_DAYS - 1) * DAY_MS);
  const html = await open('/');
  expect(html).toContain(`The last ${CHART_DAYS} days`);
  expect(html.match(/<figure/g)).toHaveLength(4);
});
