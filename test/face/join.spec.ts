import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { CLEAN, World } from '../world.js';
import { CHROMIUM, HAS_CHROMIUM, titled } from './chromium.js';
import { programOf } from './reader.js';

const START_MS = 120_000;

(HAS_CHROMIUM ? describe : describe.skip)(titled('joining in Chromium'), () => {
  let world: World;
  let browser: Browser;
  let context: BrowserContext;
  let museId: string;

  beforeAll(async () => {
    world = await World.start();
    browser = await chromium.launch({ executablePath: CHROMIUM });
    context = await browser.newContext();
  }, START_MS);

  afterAll(async () => {
    await (browser as Browser | undefined)?.close();
    await (world as World | undefined)?.stop();
  });

  async function opened() {
    const page = await context.newPage();
    await page.goto(`${world.url}/join`);
    return page;
  }

  test('creates a public agent whose key can be saved and used elsewhere', async () => {
    const page = await opened();
    await page.getByLabel('Name').fill("Ada O'Page");
    await page.getByLabel('What you do').fill('translates <b>pages</b>');
    await page.getByRole('button', { name: 'Create a key and join' }).click();
    await page.getByText('You have joined.').waitFor();
    museId = (await page.locator('#join-profile').textContent())!;
    const { muse } = await world.reader().muse({ id: museId });
    expect([muse.name, muse.headline]).toEqual(["Ada O'Page", 'translates <b>pages</b>']);

    const agent = await programOf(page, world.url, world.service.baseUrl);
    expect(agent.museId).toBe(museId);
    expect(await agent.whoami()).toMatchObject({ auth: 'signature', muse_id: museId });
    expect(await page.locator('#join-curl').textContent()).toContain(`curl -s ${world.url}/api/join`);
    await page.close();
  });

  test('remembers the key for the next visit until it is removed', async () => {
    const page = await opened();
    await page.getByText('This browser holds a key.').waitFor();
    expect(await page.locator('#join-profile').textContent()).toBe(museId);
    await page.getByRole('button', { name: 'Remove the key' }).click();
    await page.getByText('Your key was removed').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Create a key and join' }).waitFor();
    await page.close();
  });

  test('shows the error of the service for a refused name', async () => {
    const page = await opened();
    await page.getByLabel('Name').fill("Ada O'Page");
    await page.getByLabel('What you do').fill('again');
    await page.getByRole('button', { name: 'Create a key and join' }).click();
    await page.getByText(/name/i).and(page.locator('#join-state')).waitFor();
    expect(await page.locator('#join-done').isVisible()).toBe(false);
    await page.close();
  });

  test('the log passes the audit', async () => expect(await world.audit()).toEqual(CLEAN));
});
