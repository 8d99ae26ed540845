import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContext, BrowserContextOptions } from 'playwright-core';
import { PAGES } from '#libs/channels/pages/pages.js';
import { browser, describeInChromium, START_MS, world } from './in-chromium.js';
import { cutRingsOf, findingsOf, overflowOf } from './looking.js';
import { type Story, tellStory } from './page-story.js';

/** Limit for the transferred bytes of the first page without pictures. */
const FIRST_PAGE_BYTES_MAX = 40_000;
/** A header of two lines is higher than two of these. */
const LINE_PX = 32;
const TABS_MAX = 20;

const DESK = { width: 1_280, height: 900 };
const PHONE = { width: 390, height: 844 };
const LOOKS = {
  'wide and light': { colorScheme: 'light', viewport: DESK },
  'wide and dark': { colorScheme: 'dark', viewport: DESK },
  'narrow and light': { colorScheme: 'light', viewport: PHONE },
  'narrow and dark': { colorScheme: 'dark', viewport: PHONE },
  'without scripts': { javaScriptEnabled: false, viewport: DESK },
} satisfies { readonly [name: string]: BrowserContextOptions };
type Look = keyof typeof LOOKS;
/** Axe takes ten seconds for the longest pages, so it sees each width and each colour scheme once. */
const EXAMINED_LOOKS: readonly Look[] = ['wide and light', 'narrow and dark'];

describeInChromium('the pages in Chromium', () => {
  let story: Story;

  beforeAll(async () => {
    story = await tellStory(world);
    // The first request for the clients builds them if a source has changed.
    await fetch(`${world.url}/clients`);
  }, START_MS);

  /** Fills the parameters of a path from the story. */
  const addressOf = (path: string) =>
    world.url + path.replace(/:(\w+)/g, (_all, name: keyof Story) => encodeURIComponent(story[name]));

  /** Pages may ask the nodes of the development chain. */
  const isOwn = (url: string) =>
    [world.url, ...Object.values(world.service.chains.dev!.rpc)].some(address => url.startsWith(address));

  const contexts = new Map<Look, Promise<BrowserContext>>();

  /** Opens an address and collects the errors of the page. Pages of one look share a context. */
  async function open(address: string, look: Look = 'wide and light') {
    if (!contexts.has(look)) contexts.set(look, browser.newContext(LOOKS[look]));
    const page = await (await contexts.get(look)!).newPage();
    const complaints: string[] = [];
    page.on('console', message => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
    page.on('pageerror', error => complaints.push(String(error)));
    page.on('dialog', dialog => void (complaints.push('a dialog'), dialog.dismiss()));
    const foreign: string[] = [];
    page.on('request', request => isOwn(request.url()) || foreign.push(request.url()));
    const response = await page.goto(address, { waitUntil: 'load' });
    return { page, complaints, foreign, status: response!.status(), close: () => page.close() };
  }

  describe.each(PAGES.map(({ name, path }) => [name, path] as const))('%s', (_name, path) => {
    describe.each(Object.keys(LOOKS) as Look[])('%s', look => {
      let opened: Awaited<ReturnType<typeof open>>;
      beforeAll(async () => void (opened = await open(addressOf(path), look)));
      afterAll(() => opened.close());

      test('fits, loads nothing foreign and is accessible', async () => {
        const { page, complaints, foreign, status } = opened;
        expect([status, foreign, complaints]).toEqual([200, [], []]);
        expect(await page.locator('h1').count()).toBe(1);
        expect(await overflowOf(page)).toBeLessThanOrEqual(0);
        expect(await page.evaluate(() => 'hostile' in window)).toBe(false);
        if (EXAMINED_LOOKS.includes(look)) expect(await findingsOf(page)).toEqual([]);
      });

      if (look === 'wide and light')
        test('links in texts of members lead only to https and are marked as untrusted', async () => {
          const links = await opened.page
            .locator('a')
            .evaluateAll(all => all.map(a => [a.getAttribute('href')!, a.getAttribute('rel')] as const));
          const outside = links.filter(([href]) => !/^(\/(?!\/)|#)/.test(href));
          const isMarked = ([href, rel]: (typeof outside)[number]) =>
            href.startsWith('https://') && rel === 'nofollow ugc noopener';
          expect(outside.filter(link => !isMarked(link))).toEqual([]);
        });

      if (look.endsWith(' and light'))
        test('has a whole focus ring on each control', async () => {
          expect(await cutRingsOf(opened.page)).toEqual([]);
        });
    });
  });

  test(`the first page loads less than ${FIRST_PAGE_BYTES_MAX} bytes`, async () => {
    const { page, close } = await open(`${world.url}/`);
    const loaded = await page.evaluate(() =>
      (performance.getEntries() as PerformanceResourceTiming[])
        .filter(({ entryType }) => ['navigation', 'resource'].includes(entryType))
        .map(({ name, decodedBodySize }) => [name, decodedBodySize] as const),
    );
    expect(loaded.length).toBeGreaterThan(1);
    expect(loaded.reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(FIRST_PAGE_BYTES_MAX);
    await close();
  });

  test('the page for connecting is short on a phone, and an anchor shows its host', async () => {
    const { page, close } = await open(`${world.url}/connect#codex`, 'narrow and light');
    expect(await page.getByRole('tab', { name: 'Codex' }).getAttribute('aria-selected')).toBe('true');
    expect(await page.getByRole('tabpanel').count()).toBe(1);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(4 * PHONE.height);
    await close();
  });

  test('a record tells what happened, with names, before its folded checks', async () => {
    const { page, close } = await open(addressOf('/records/:hire'));
    await page.locator('#outcome:not([data-state=checking])').waitFor();
    const steps = await page.locator('#record-story li').allInnerTexts();
    const sentences = steps.map(step => step.replace(/\s+/g, ' '));
    expect(sentences).toEqual([
      expect.stringContaining('<b>Ada & "Co" hired Ben of a page for 10 USDC'),
      expect.stringContaining('Ben of a page delivered the work'),
      expect.stringContaining('accepted it'),
      expect.stringContaining('paid Ben of a page 10 USDC'),
    ]);
    expect(await page.locator('#record-events').isVisible()).toBe(false);
    await close();
  });

  test('a reader gets from the first page through the whole story by links', async () => {
    const { page, complaints, close } = await open(`${world.url}/`);
    const go = async (name: string | RegExp) => {
      await page.getByRole('link', { name }).first().click();
      await page.waitForLoadState();
      return new URL(page.url()).pathname;
    };
    expect(await go('Jobs')).toBe('/jobs');
    await page.getByText('More filters').click();
    await page.getByRole('searchbox', { name: 'Skill' }).fill('french');
    await page.getByRole('button', { name: 'Filter' }).click();
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
    const { page, close } = await open(`${world.url}/jobs`);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Skip to the content');
    expect(await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle)).toBe('solid');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#content');
    await close();
  });

  test('a narrow header is one line, whose menu and search need only a keyboard', async () => {
    const { page, complaints, close } = await open(`${world.url}/`, 'narrow and dark');
    const header = (await page.locator('header').boundingBox())!;
    expect(header.height).toBeLessThan(2 * LINE_PX);
    const focused = () =>
      page.evaluate(() => document.activeElement!.getAttribute('aria-label') ?? document.activeElement!.textContent);
    const tabTo = async (name: string) => {
      for (let presses = 0; (await focused()) !== name; presses += 1) {
        expect(presses).toBeLessThan(TABS_MAX);
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Enter');
    };
    await tabTo('Menu');
    await tabTo('Agents');
    await page.waitForURL(/people$/);
    await tabTo('Menu');
    await tabTo('Search the network');
    await page.keyboard.type('french');
    await page.keyboard.press('Enter');
    await page.waitForURL(/search\?q=french$/);
    expect(await page.locator('main .person').count()).toBe(1);
    expect(complaints).toEqual([]);
    await close();
  });

  test('a missing and a cut focus ring are found', async () => {
    const page = await browser.newPage();
    const whole = '<p style="overflow: hidden; padding: 9px"><a href="#">Whole</a></p>';
    const cut = '<p style="overflow: hidden; padding: 1px"><a href="#">Cut</a></p><button>Missing</button>';
    const style = '<style>a:focus { outline: 2px solid; outline-offset: 2px } button:focus { outline: none }</style>';
    await page.setContent(`${style}${whole}${cut}`);
    expect(await cutRingsOf(page)).toEqual(['<a href="#">Cut</a>', '<button>Missing</button>']);
    await page.close();
  });

  test('axe finds text of too little contrast', async () => {
    const page = await browser.newPage();
    await page.setContent('<html lang="en"><title>Grey</title><p style="color: #999; background: #fff">Hardly seen');
    expect((await findingsOf(page)).map(finding => finding.split(':')[0])).toEqual(['color-contrast']);
    await page.close();
  });
});
