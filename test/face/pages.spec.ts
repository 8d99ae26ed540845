import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core';
import { PAGES } from '#libs/channels/pages/pages.js';
import { CLEAN, World } from '../world.js';
import { CHROMIUM, HAS_CHROMIUM, titled } from './chromium.js';
import { findingsOf, overflowOf } from './looking.js';
import { type Story, tellStory } from './page-story.js';

/** Limit for the transferred bytes of the first page without pictures. */
const FIRST_PAGE_BYTES_MAX = 40_000;
const START_MS = 120_000;

const DESK = { width: 1_280, height: 900 };
const LOOKS: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ['in light', { colorScheme: 'light', viewport: DESK }],
  ['in dark', { colorScheme: 'dark', viewport: DESK }],
  ['on a phone of 390 px', { colorScheme: 'light', viewport: { width: 390, height: 844 } }],
  ['without scripts', { javaScriptEnabled: false, viewport: DESK }],
];

(HAS_CHROMIUM ? describe : describe.skip)(titled('the pages in Chromium'), () => {
  let world: World;
  let browser: Browser;
  let story: Story;

  beforeAll(async () => {
    world = await World.start();
    [story, browser] = await Promise.all([tellStory(world), chromium.launch({ executablePath: CHROMIUM })]);
  }, START_MS);

  afterAll(async () => {
    await (browser as Browser | undefined)?.close();
    await (world as World | undefined)?.stop();
  });

  /** Fills the parameters of a path from the story. Fails for an unknown parameter. */
  const addressOf = (path: string) =>
    world.url +
    path.replace(/:(\w+)/g, (_all, name: string) => {
      if (story[name] === undefined) throw new Error(`test/face/page-story.ts tells of no ${name}.`);
      return encodeURIComponent(story[name]);
    });

  /** Opens an address and collects the errors of the page. */
  async function open(address: string, options: BrowserContextOptions) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', message => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
    page.on('pageerror', error => complaints.push(String(error)));
    page.on('dialog', dialog => void (complaints.push('a dialog'), dialog.dismiss()));
    const foreign: string[] = [];
    page.on('request', request => request.url().startsWith(world.url) || foreign.push(request.url()));
    const response = await page.goto(address, { waitUntil: 'load' });
    return { page, complaints, foreign, status: response!.status(), close: () => context.close() };
  }

  describe.each(PAGES.map(({ name, path }) => [name, path] as const))('%s', (_name, path) => {
    test.each(LOOKS)('%s fits its window, loads nothing foreign and is accessible', async (_look, options) => {
      const { page, complaints, foreign, status, close } = await open(addressOf(path), options);
      expect([status, foreign, complaints]).toEqual([200, [], []]);
      expect(await page.locator('h1').count()).toBe(1);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      expect(await page.evaluate(() => 'hostile' in window)).toBe(false);
      if (options.javaScriptEnabled !== false) expect(await findingsOf(page)).toEqual([]);
      await close();
    });

    test('links in texts of members lead only to https and are marked as untrusted', async () => {
      const { page, close } = await open(addressOf(path), {});
      const links = await page
        .locator('a')
        .evaluateAll(all => all.map(a => [a.getAttribute('href')!, a.getAttribute('rel')] as const));
      const outside = links.filter(([href]) => !/^(\/(?!\/)|#)/.test(href));
      expect(outside.filter(([href, rel]) => !href.startsWith('https://') || rel !== 'nofollow ugc noopener')).toEqual(
        [],
      );
      await close();
    });
  });

  test(`the first page loads less than ${FIRST_PAGE_BYTES_MAX} bytes`, async () => {
    const { page, close } = await open(`${world.url}/`, {});
    const loaded = await page.evaluate(() =>
      (performance.getEntries() as PerformanceResourceTiming[])
        .filter(({ entryType }) => ['navigation', 'resource'].includes(entryType))
        .map(({ name, decodedBodySize }) => [name, decodedBodySize] as const),
    );
    expect(loaded.length).toBeGreaterThan(1);
    expect(loaded.reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(FIRST_PAGE_BYTES_MAX);
    await close();
  });

  test('a reader gets from the first page through the whole story by links', async () => {
    const { page, complaints, close } = await open(`${world.url}/`, {});
    const go = async (name: string | RegExp) => {
      await page.getByRole('link', { name }).first().click();
      await page.waitForLoadState();
      return new URL(page.url()).pathname;
    };
    expect(await go('Jobs')).toBe('/jobs');
    await page.getByRole('searchbox', { name: 'Skill' }).fill('french');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(/skill=french/);
    await page.locator('.rows .title').first().click();
    await page.waitForURL(/\/jobs\/job-/);
    expect(await go('Ben of a page')).toBe(`/people/${story['id']}`);
    expect(await go('record')).toBe(`/records/${story['hire']}`);
    expect(await go('Feed')).toBe('/feed');
    expect(await go('Hires and payments')).toBe('/feed');
    expect(page.url()).toContain('kind=hires');
    expect(complaints).toEqual([]);
    await close();
  });

  test('the keyboard reaches the content first, and focus is visible', async () => {
    const { page, close } = await open(`${world.url}/jobs`, {});
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Skip to the content');
    expect(await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle)).toBe('solid');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#content');
    await close();
  });

  test('the log passes the audit', async () => expect(await world.audit()).toEqual(CLEAN));
});
