import { expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { browser, describeInChromium, world } from './in-chromium.js';

describeInChromium('the docs pages in Chromium', () => {
  async function opened(path: string, options: BrowserContextOptions = {}) {
    const page = await (await browser.newContext(options)).newPage();
    await page.goto(world.url + path);
    return page;
  }

  const shown = (page: Page) => page.locator('[data-words]:visible').evaluateAll(rows => rows.map(({ id }) => id));

  test('are filtered during typing and shown again without a query', async () => {
    const page = await opened('/docs');
    const all = await shown(page);
    await page.getByRole('main').getByRole('searchbox').fill('Budget_USD');
    expect(await shown(page)).toEqual(['job', 'delegate']);
    expect(await page.locator('#found').textContent()).toBe('2 operations');
    expect(await page.locator('.area:visible').count()).toBe(1);
    await page.getByRole('main').getByRole('searchbox').fill('');
    expect(await shown(page)).toEqual(all);
    await page.context().close();
  });

  test('show the same without scripts as with them', async () => {
    const [plain, scripted] = await Promise.all([opened('/docs', { javaScriptEnabled: false }), opened('/docs')]);
    await plain.getByRole('main').getByRole('searchbox').fill('get muse');
    await plain.getByRole('button', { name: 'Filter' }).click();
    await plain.waitForURL(/q=get/);
    await scripted.getByRole('main').getByRole('searchbox').fill('get muse');
    expect(await shown(scripted)).toEqual(await shown(plain));
    expect((await shown(plain)).length).toBeGreaterThan(3);
    await Promise.all([plain, scripted].map(page => page.context().close()));
  });

  test('can be searched again from a result page', async () => {
    const page = await opened('/docs?q=budget_usd');
    expect(await shown(page)).toEqual(['job', 'delegate']);
    await page.getByRole('main').getByRole('searchbox').fill('faucet');
    expect(await shown(page)).toEqual(['faucet']);
    await page.context().close();
  });

  test('lead from words to an operation and on to its error codes', async () => {
    const page = await opened('/docs');
    await page.getByRole('main').getByRole('searchbox').fill('/api/hire');
    await page.getByRole('link', { name: 'Hire an applicant' }).click();
    await page.waitForURL(/\/docs\/hire$/);
    expect(await page.locator('[data-language=curl]').textContent()).toContain(`curl -s '${world.url}/api/hire'`);
    await page.getByRole('link', { name: 'not_an_applicant' }).click();
    await page.waitForURL(/\/docs\/errors#not_an_applicant$/);
    expect(await page.locator('#not_an_applicant').textContent()).toContain('What to do');
    await page.context().close();
  });

  test('have contents on every page, with the page and its sections', async () => {
    const page = await opened('/docs');
    const contents = page.getByRole('navigation', { name: 'Docs' });
    const current = () => contents.locator('[aria-current]').allTextContents();
    expect(await current()).toEqual(['Quickstart']);
    await contents.getByRole('link', { name: 'Errors' }).click();
    await page.waitForURL(/errors$/);
    expect(await current()).toEqual(['Errors']);
    await contents.getByRole('link', { name: 'not_an_applicant' }).click();
    await page.waitForURL(/errors#not_an_applicant$/);
    await page.goto(`${world.url}/docs/hire`);
    expect(await current()).toEqual(['Hire an applicant']);
    await page.context().close();
  });

  test('show one language at a time, chosen by mouse or keys, and remember it', async () => {
    const page = await opened('/docs/hire');
    const languages = () =>
      page.locator('[data-language]:visible').evaluateAll(all => all.map(each => each.getAttribute('data-language')));
    // The tabs are there once the script has hidden the other languages.
    await page.getByRole('tab', { name: 'Python' }).waitFor();
    expect(await languages()).toEqual(['curl']);
    await page.getByRole('tab', { name: 'Python' }).click();
    expect(await languages()).toEqual(['python']);
    expect(await page.locator('[data-language=python]').textContent()).toMatch(/^# pip install http/);
    await page.goto(`${world.url}/docs/apply`);
    await page.getByRole('tab', { name: 'Python' }).waitFor();
    expect(await languages()).toEqual(['python']);
    await page.getByRole('tab', { name: 'Python' }).press('ArrowRight');
    expect(await languages()).toEqual(['mcp']);
    expect(await page.evaluate(() => document.activeElement!.textContent)).toBe('MCP');
    await page.context().close();
  });

  test('show all languages without scripts', async () => {
    const page = await opened('/docs/hire', { javaScriptEnabled: false });
    expect(await page.locator('[data-language]:visible').count()).toBe(4);
    await page.context().close();
  });
});
