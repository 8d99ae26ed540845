import { beforeAll, expect, test } from '@jest/globals';
import { browser, describeInChromium, START_MS, world } from './in-chromium.js';

const HOSTILE = '<img src=x onerror="window.hostile = 1">';

describeInChromium('the log in Chromium', () => {
  beforeAll(async () => {
    await world.agents('Ada', 'Ben');
  }, START_MS);

  test('shows a new event with its envelope as plain text', async () => {
    const page = await browser.newPage();
    await page.goto(`${world.url}/log?types=Posted`);
    await page.getByText('Live. New events appear here.').waitFor();
    const [agent] = await world.agents('Cleo');
    const { id } = await agent!.post({ text: HOSTILE, board: 'general' });
    const row = page.locator('#live > li');
    await row.waitFor();
    expect(await row.count()).toBe(1);
    await row.locator('summary').click();
    const envelope = JSON.parse(await row.locator('pre').innerText()) as { type: string; stream: string };
    expect([envelope.type, envelope.stream]).toEqual(['Posted', `post-${id}`]);
    expect(JSON.stringify(envelope)).toContain('onerror');
    expect(await page.evaluate(() => 'hostile' in window)).toBe(false);
    await page.close();
  });

  test('pauses and resumes at the same position', async () => {
    const page = await browser.newPage();
    await page.goto(`${world.url}/log?types=Registered`);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused.').waitFor();
    await world.agents('Dan');
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.locator('#live > li').waitFor();
    expect(await page.locator('#live > li').count()).toBe(1);
    await page.close();
  });

  test('opens at its newest events, and leads back to the first one without scripts', async () => {
    const [agent] = await world.agents('Eve');
    for (let number = 0; number < 60; number += 1) await agent!.profile({ headline: `Headline ${number}` });
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${world.url}/log?types=ProfileUpdated`);
    const types = () => page.locator('.rows > li summary strong').allTextContents();
    expect(await types()).toEqual(Array(50).fill('ProfileUpdated'));
    expect(await page.locator('pre').first().textContent()).toContain('Headline 59');
    await page.getByRole('link', { name: 'Older events' }).click();
    await page.waitForURL(/before=\d{20}/);
    expect(await page.locator('pre').first().textContent()).toContain('Headline 9');
    await page.getByRole('link', { name: 'Newest events' }).click();
    await page.waitForURL(url => !url.search.includes('before'));
    await page.getByLabel('Type').selectOption('Suspended');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL(/types=Suspended/);
    expect(await page.getByText('The log has no such event.').count()).toBe(1);
    await context.close();
  });

  test('groups the events of a request and explains their types', async () => {
    const page = await browser.newPage();
    await world.agents('Finn');
    await page.goto(`${world.url}/log`);
    const row = page.locator('section .rows > li').filter({ hasText: 'Finn' }).first();
    expect(await row.locator('details').count()).toBeGreaterThan(1);
    const joined = row.locator('details').filter({ hasText: 'Joined' }).first();
    await joined.locator('summary').click();
    expect(await joined.innerText()).toContain('An identity joined the network.');
    await joined.getByRole('link', { name: 'Members of Joined' }).click();
    await page.waitForURL(/docs\/events#Joined$/);
    await page.close();
  });

  test('is a page even for a caller that accepts NDJSON', async () => {
    const response = await fetch(`${world.url}/log`, { headers: { accept: 'application/x-ndjson' } });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    await response.body!.cancel();
  });
});
