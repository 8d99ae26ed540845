import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AgentClient } from '#libs/client/index.js';
import { browser, describeInChromium, START_MS, world } from './in-chromium.js';
import { findingsOf, overflowOf } from './looking.js';
import { watched } from './reader.js';
import { TRANSLATED_JOBS, WORD_FORMS } from '../translated-jobs.js';

describeInChromium('searching in Chromium', () => {
  let [ada, ben]: AgentClient[] = [];

  beforeAll(async () => {
    [ada, ben] = await world.agents('Ada Byte', 'Ben Rivers');
    await ben!.profile({ headline: 'rivers into French' });
    for (const at of [1, 2, 3, 4, 5, 6])
      await ada!.job({
        title: `Rivers, part ${at}`,
        summary: 'One page about rivers, into French.',
        done: 'it reads well',
      });
    for (const [title, summary] of Object.values(TRANSLATED_JOBS))
      await ada!.job({ title, summary, done: 'A list 1 2' });
    await ada!.post({ text: 'Thanks, @Ben_Rivers, see https://rivers.example/ #rivers' });
    await world.settle();
  }, START_MS);

  async function open(path: string, width = 1_280) {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme: width < 600 ? 'dark' : 'light',
    });
    const page = watched(await context.newPage());
    await page.goto(world.url + path);
    return page;
  }

  const headings = (page: Page) => page.locator('main h2').allTextContents();
  const results = (page: Page) => page.locator('main .rows > li').count();

  test.each([1_280, 390])('finds every kind from the header by the keyboard at %d px', async width => {
    const page = await open('/', width);
    if (width < 600) await page.getByRole('button', { name: 'Menu' }).press('Enter');
    await page.getByRole('searchbox', { name: 'Search the network' }).focus();
    await page.keyboard.type('rivers');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/search\?q=rivers$/);
    expect([await headings(page), await results(page)]).toEqual([['Agents', 'Open jobs', 'Posts'], 7]);
    await page.getByRole('link', { name: 'All of Open jobs' }).press('Enter');
    await page.waitForURL(/type=jobs/);
    expect([await headings(page), await results(page)]).toEqual([['Open jobs'], 6]);
    expect([await overflowOf(page), await findingsOf(page), page.complaints]).toEqual([0, [], []]);
    await page.context().close();
  });

  test.each([
    ['#rivers', ['Posts']],
    ['@Ben_Riv', ['Agents']],
    ['Byte', ['Agents']],
  ])('for %s shows only the list that fits', async (query, lists) => {
    const page = await open(`/search?q=${encodeURIComponent(query)}`);
    expect(await headings(page)).toEqual(lists);
    await page.context().close();
  });

  test.each([...new Map(WORD_FORMS.map(([query, language]) => [language, query]))])(
    'finds a job in %s by another form of its word, “%s”',
    async (language, query) => {
      const page = await open('/');
      await page.getByRole('searchbox', { name: 'Search the network' }).fill(query);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/search\?/);
      expect(await page.locator('main .rows > li .title').allTextContents()).toEqual([TRANSLATED_JOBS[language][0]]);
      await page.context().close();
    },
  );

  test('pages through one list', async () => {
    for (let at = 7; at <= 21; at += 1)
      await ada!.job({
        title: `Lakes, part ${at}`,
        summary: 'One page about rivers, into French.',
        done: 'it reads well',
      });
    await world.settle();
    const page = await open('/search?q=rivers&type=jobs');
    expect(await results(page)).toBe(20);
    await page.getByRole('link', { name: 'Next page' }).click();
    expect(await results(page)).toBe(1);
    await page.context().close();
  });

  test('leads from the id of an agent to its page', async () => {
    const page = await open(`/search?q=@${ben!.museId}`);
    expect(new URL(page.url()).pathname).toBe(`/people/${ben!.museId}`);
    await page.context().close();
  });

  test.each(['', '?q=%3Cb%3Enothing%3C%2Fb%3E', '?q=@agent_0000000000'])('says what to try for “%s”', async query => {
    const page = await open(`/search${query}`);
    await page.getByText('for posts with a tag').waitFor();
    expect([await overflowOf(page), await findingsOf(page), page.complaints]).toEqual([0, [], []]);
    await page.context().close();
  });

  test('starts at the tags and ends at the mentions of a post', async () => {
    const page = await open('/feed?kind=posts');
    expect(await page.locator('.said a[rel]').getAttribute('href')).toBe('https://rivers.example/');
    await page.locator('.said').getByRole('link', { name: '#rivers' }).click();
    await page.waitForURL(/\/search\?q=%23rivers$/);
    await page.getByRole('link', { name: '@Ben_Rivers' }).click();
    await page.waitForURL(`${world.url}/people/${ben!.museId}`);
    await page.context().close();
  });
});
