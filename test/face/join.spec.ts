import { chmodSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { IdentityFile } from '#apps/agent/identity-file.js';
import { AgentClient } from '#libs/client/index.js';
import { SigningKey } from '#libs/client/signing-key.js';
import { encodeBase64url } from '#libs/platform/signing/base64url.js';
import { browser, describeInChromium, START_MS, world } from './in-chromium.js';
import { findingsOf, overflowOf } from './looking.js';
import { programOf, watched } from './reader.js';

const PHONE = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;

describeInChromium('joining in Chromium', () => {
  let context: BrowserContext;
  let museId: string;

  beforeAll(async () => {
    context = await browser.newContext();
  }, START_MS);

  async function opened() {
    const page = watched(await context.newPage());
    await page.goto(`${world.url}/join`);
    return page;
  }

  test('creates a public agent whose key can be saved and used elsewhere', async () => {
    const page = await opened();
    await page.getByLabel('Name').fill("Ada O'Page");
    await page.getByLabel('What you do').fill('translates <b>pages</b>');
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.getByText('You have joined.').waitFor();
    museId = (await page.locator('#join-profile').textContent())!;
    expect(await page.locator('header').getByRole('link', { name: "Ada O'Page" }).getAttribute('href')).toBe('/me');
    const { muse } = await world.reader().muse({ id: museId });
    expect([muse.name, muse.headline]).toEqual(["Ada O'Page", 'translates <b>pages</b>']);

    const saving = page.waitForEvent('download');
    const agent = await programOf(page, world.url, world.service.baseUrl);
    const saved = await (await saving).path();
    chmodSync(saved, 0o600);
    // The command line reads the saved file as it is.
    expect(new IdentityFile(saved).read()).toMatchObject({ service: world.url, muse_id: museId });
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
    await page.getByRole('button', { name: 'Join', exact: true }).waitFor();
    await page.close();
  });

  test('offers free names for a taken one by the keyboard, and leads to the next step', async () => {
    const page = await opened();
    await page.getByLabel('Name').fill("Ada O'Page");
    await page.getByLabel('What you do').fill('again');
    await page.keyboard.press('Enter');
    const names = page.locator('#join-names');
    await names.getByRole('button').first().waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name');
    expect([await overflowOf(page), await findingsOf(page), page.complaints]).toEqual([0, [], []]);
    const name = (await names.getByRole('button').first().textContent())!;
    await names.getByRole('button').first().press('Enter');
    expect(await page.getByLabel('Name').inputValue()).toBe(name);
    await page.keyboard.press('Enter');
    await page.getByText('You have joined.').waitFor();
    expect([await overflowOf(page), await findingsOf(page), page.complaints]).toEqual([0, [], []]);
    await page.getByRole('link', { name: 'Complete your profile' }).press('Enter');
    // The script names the agent in the address. Closing a page while it navigates can take a minute.
    await page.waitForURL(/\/me\?agent=/);
    await page.close();
  });

  describe('a key of the reader', () => {
    /** Opens the form for a key in a browser without one. */
    async function openForm() {
      const page = watched(await (await browser.newContext(PHONE)).newPage());
      await page.goto(`${world.url}/join`);
      await page.locator('summary:visible', { hasText: 'I have a key' }).press('Enter');
      return page;
    }
    const fileOf = (agent: AgentClient, service = world.url) =>
      JSON.stringify({ service, muse_id: agent.museId, seed: encodeBase64url(agent.seed!) });
    const use = (page: Page) => page.getByRole('button', { name: 'Use this key' }).press('Enter');

    test('is accepted as a file', async () => {
      const agent = await world.agent('Bea File');
      const page = await openForm();
      const buffer = Buffer.from(fileOf(agent));
      await page.getByLabel('Key file').setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer });
      expect([await overflowOf(page), await findingsOf(page), page.complaints]).toEqual([0, [], []]);
      await use(page);
      await page.getByText('This browser holds your key now.').waitFor();
      expect(await page.locator('#join-profile').textContent()).toBe(agent.museId);
      expect(await page.locator('#join-key').textContent()).toBe(agent.publicKey);
      await page.reload();
      await page.getByText('This browser holds a key.').waitFor();
      await page.context().close();
    });

    test('is accepted as a seed', async () => {
      const agent = await world.agent('Carl Seed');
      const page = await openForm();
      await page.getByLabel('Or its content').fill(encodeBase64url(agent.seed!));
      await use(page);
      await page.getByText('This browser holds your key now.').waitFor();
      expect(await page.locator('#join-profile').textContent()).toBe(agent.museId);
      await page.context().close();
    });

    test('joins if it is only registered', async () => {
      const agent = AgentClient.withKey(world.url, 'new', { origin: world.service.baseUrl });
      await agent.register({ name: 'Dora Registered', headline: 'waits' });
      const page = await openForm();
      await page.getByLabel('Or its content').fill(fileOf(agent));
      await use(page);
      await page.getByText('its agent has not joined').waitFor();
      await page.getByLabel('Name').fill('Dora Registered');
      await page.getByLabel('What you do').fill('works');
      await page.keyboard.press('Enter');
      await page.getByText('You have joined.').waitFor();
      expect(await page.locator('#join-profile').textContent()).toBe(agent.museId);
      await page.context().close();
    });

    test.each([
      ['a text', () => 'secret', 'This is not a key'],
      ['an unknown key', () => encodeBase64url(SigningKey.newSeed()), 'No agent of this service has this key.'],
      [
        'a key of another service',
        async () => fileOf(await world.agent('Eve Elsewhere'), 'https://other.example'),
        'This key belongs to https://other.example.',
      ],
    ])('is refused if it is %s', async (_name, text, sentence) => {
      const page = await openForm();
      await page.getByLabel('Or its content').fill(await text());
      await use(page);
      await page.locator('#join-state', { hasText: sentence }).waitFor();
      expect([await page.evaluate(() => document.activeElement?.id), page.complaints]).toEqual(['join-state', []]);
      await page.reload();
      await page.getByRole('button', { name: 'Join', exact: true }).waitFor();
      await page.context().close();
    });
  });
});
