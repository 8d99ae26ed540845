import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import type { BrowserContext } from 'playwright-core';
import { AgentClient } from '#libs/client/index.js';
import { decodeBase64url } from '#libs/platform/signing/base64url.js';
import { SEED_BYTES } from '#libs/platform/signing/ed25519.js';
import { browser, describeInChromium, START_MS, world } from './in-chromium.js';
import { fillWallet } from './job-forms.js';
import { findingsOf, overflowOf } from './looking.js';
import { HOSTILE } from './page-story.js';
import { joinInPage, programOf, watched } from './reader.js';

const JOB = { title: 'Translate', summary: 'One page about rivers, into French.', done: 'it reads well' };
const PHONE = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;

describeInChromium('the page of the own work in Chromium', () => {
  let context: BrowserContext;
  let ada: AgentClient;
  /** The agent whose key the browser holds. */
  let self: AgentClient;

  beforeAll(async () => {
    ada = await world.agent('Ada Byte');
    context = await browser.newContext();
    const page = await context.newPage();
    await joinInPage(page, world.url, 'Ben Reader');
    self = await programOf(page, world.url, world.service.baseUrl);
    await page.close();
  }, START_MS);

  async function open(path = '/me') {
    await world.settle();
    const page = watched(await context.newPage());
    await page.goto(world.url + path);
    return page;
  }

  const unread = async () => (await self.whoami()).unread;

  test('shows unread notices without marking them, and marks only what it shows', async () => {
    await ada.post({ text: `@${self.museId} ${HOSTILE}` });
    const page = await open();
    await page.getByText('1 unread.').waitFor();
    expect(await page.locator('#inbox-unread').innerText()).toContain('Ada Byte mentioned you in a post.');
    expect(await page.evaluate(() => 'hostile' in window)).toBe(false);
    await page.waitForFunction(() => document.title === '(1) Your work · Agent Job Network');
    expect(await unread()).toBe(1);
    await ada.connect({ to: self.museId });
    await page.getByText('2 unread.').waitFor();
    expect([await overflowOf(page), await findingsOf(page), page.complaints]).toEqual([0, [], []]);
    // A notice that arrives unseen stays unread.
    await page.route('**/api/inbox', route =>
      /peek|after/.test(route.request().postData()!) ? route.abort() : route.continue(),
    );
    await ada.react({ postId: (await self.post({ text: 'Hello.' })).id, type: 'like' });
    await world.settle();
    await page.getByRole('button', { name: 'Mark all as read' }).press('Enter');
    await page.getByText('The service did not answer. Try again.').waitFor();
    expect(await unread()).toBe(1);
    await page.unroute('**/api/inbox');
    await page.reload();
    await page.getByText('1 unread.').waitFor();
    await page.getByRole('button', { name: 'Mark all as read' }).press('Enter');
    await page.getByText('No unread notices.').waitFor();
    await page.waitForFunction(() => document.title === 'Your work · Agent Job Network');
    expect([await unread(), await page.locator('#unread').isVisible()]).toEqual([0, false]);
    await page.getByRole('button', { name: 'Show read notices' }).press('Enter');
    await page.locator('#inbox-read > li').nth(2).waitFor();
    await page.close();
  });

  test(
    'counts unread notices in the header of every tab with one request',
    async () => {
      const pages = [await open('/jobs'), await open('/people')];
      const requests: string[] = [];
      for (const page of pages)
        page.on('request', request => request.url().endsWith('/api/inbox') && requests.push(request.url()));
      await self.connect({ to: ada.museId });
      await ada.message({ to: self.museId, text: 'Hello?' });
      for (const page of pages) {
        await page.locator('#unread', { hasText: '1' }).waitFor({ timeout: 60_000 });
        expect(await page.title()).toMatch(/^\(1\) /);
      }
      expect(requests.length).toBeLessThanOrEqual(2);
      await Promise.all(pages.map(page => page.close()));
    },
    START_MS,
  );

  test('lists the steps that wait for the agent, and its jobs and work', async () => {
    const { role } = await self.job({ ...JOB, budgetUsd: '10', rail: 'usdc-base' }).catch(() => self.job(JOB));
    const { role: other } = await ada.job({ ...JOB, title: 'Proofread' });
    await self.apply({ role: other, note: 'Me.' });
    await ada.hire({ role: other, to: self.museId });
    await ada.apply({ role, note: 'Me.' });
    let page = await open();
    const tasks = page.locator('section', { has: page.locator('#tasks') });
    await tasks.getByText('Decide 1 application').waitFor();
    await tasks.getByText('Deliver').waitFor();
    await page.close();
    const { hire } = await self.hire({ role, to: ada.museId });
    await ada.deliver({ hire, url: world.page('bonjour') });
    page = await open();
    await page.getByRole('link', { name: 'Accept or dispute the delivery' }).waitFor();
    expect(await page.locator('section', { has: page.locator('#jobs') }).innerText()).toContain('Translate');
    expect(await page.locator('section', { has: page.locator('#work') }).innerText()).toContain('Proofread');
    await page.close();
  });

  test('edits the profile and clears a field', async () => {
    await self.profile({ bio: 'An old sentence.' });
    const page = await open();
    await page.locator('summary:visible', { hasText: 'Edit' }).press('Enter');
    await page.getByLabel('In a few sentences').fill('');
    await page.getByLabel('Skills').fill('french, proofreading');
    await page.getByLabel('Open to work').selectOption('Yes');
    await page.getByRole('button', { name: 'Save', exact: true }).press('Enter');
    await page.locator('#notice', { hasText: 'Your profile is saved.' }).waitFor();
    const { muse } = await world.reader().muse({ id: self.museId });
    expect([muse.bio, muse.skills, muse.open_to_work]).toEqual([null, ['french', 'proofreading'], true]);
    await page.close();
  });

  test('shows the own agent, even if the address names another', async () => {
    const page = await open(`/me?agent=${ada.museId}`);
    await page.waitForURL(`${world.url}/me?agent=${self.museId}`);
    await page.locator('#me').waitFor();
    await page.close();
  });

  test('fits a phone in dark mode and works by the keyboard', async () => {
    const page = await open();
    await page.emulateMedia({ colorScheme: PHONE.colorScheme });
    await page.setViewportSize(PHONE.viewport);
    await page.getByText('unread').first().waitFor();
    for (const summary of await page.locator('summary:visible').all()) await summary.press('Enter');
    expect([await overflowOf(page), await findingsOf(page), page.complaints]).toEqual([0, [], []]);
    await page.close();
  });

  test('waits longer after refusals instead of asking again', async () => {
    const page = await open('/jobs');
    let refused = 0;
    await page.route('**/api/inbox', route => {
      refused += 1;
      return route.fulfill({ status: 401, json: { ok: false, error: 'No.', code: 'unknown_muse', retryable: false } });
    });
    await page.reload();
    await page.waitForTimeout(5_000);
    expect(refused).toBeLessThanOrEqual(1);
    await page.close();
  });

  test('verifies a wallet by a payment from it', async () => {
    const page = await open();
    await page.locator('summary', { hasText: 'Verify a wallet' }).click();
    await fillWallet(page, 'Address');
    await page.getByRole('button', { name: 'Verify for 1 USD' }).click();
    await page.getByRole('button', { name: /^Pay/ }).click();
    await page.locator('#notice', { hasText: 'Your wallet is verified. Paid in transaction' }).waitFor();
    await page.locator('.badge.good', { hasText: 'verified' }).waitFor();
    await page.close();
  });

  test('makes a token with limits and shows it once', async () => {
    const page = await open();
    await page.getByLabel('The token may').selectOption('read');
    await page.getByLabel('USD in 24 hours').fill('0.5');
    await page.getByRole('button', { name: 'Make a token' }).click();
    const text = page.locator('#me-token-text', { hasText: /^service_tok_/ });
    await text.waitFor();
    const authorization = `Bearer ${await text.textContent()}`;
    const reply = await fetch(`${world.url}/api/whoami`, { method: 'POST', headers: { authorization } });
    expect(await reply.json()).toMatchObject({ scope: 'read', spend_usd_a_day: '0.5', spent_usd: '0' });
    await page.close();
  });

  test('blocks the agent of a notice, and unblocks it in the list', async () => {
    await ada.post({ text: `Once more, @${self.museId}` });
    const page = await open();
    const notice = page.locator('#inbox-unread > li', { hasText: 'Ada Byte mentioned you' }).first();
    await page.getByText('You block nobody.').waitFor();
    await notice.locator('summary', { hasText: 'Block' }).press('Enter');
    expect([await overflowOf(page), await findingsOf(page), page.complaints]).toEqual([0, [], []]);
    await notice.getByRole('button', { name: 'Block Ada Byte' }).press('Enter');
    await notice.getByText('Blocked.').waitFor();
    expect((await self.blocks()).blocks).toMatchObject([{ muse_id: ada.museId }]);
    await page.reload();
    const row = page.locator('#blocks-list > li', { hasText: 'Ada Byte' });
    await row.waitFor();
    await page.getByText('unread').first().waitFor();
    expect(await page.locator('#inbox-unread summary', { hasText: 'Block' }).count()).toBe(0);
    await row.getByRole('button', { name: 'Unblock' }).press('Enter');
    await page.getByText('You block nobody.').waitFor();
    expect((await self.blocks()).blocks).toEqual([]);
    await page.close();
  });

  test('makes a recovery key, shows and stops a recovery, and removes the key', async () => {
    const page = await open();
    await page.getByText('You have no recovery key.').waitFor();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Make a recovery key' }).press('Enter');
    const file = JSON.parse(readFileSync(await (await saving).path(), 'utf8')) as { recovery_seed: string };
    const seed = decodeBase64url(file.recovery_seed, SEED_BYTES)!;
    const recoverer = AgentClient.withKey(world.url, seed, { museId: self.museId, origin: world.service.baseUrl });
    await page.locator('#recovery-state', { hasText: recoverer.publicKey! }).waitFor();
    const { next } = await recoverer.recoverKey();
    await world.settle();
    await page.reload();
    await page.locator('#recovery-pending', { hasText: next.publicKey! }).waitFor();
    expect([await overflowOf(page), await findingsOf(page), page.complaints]).toEqual([0, [], []]);
    await page.getByRole('button', { name: 'Stop it' }).press('Enter');
    await page.locator('#recovery-pending').waitFor({ state: 'hidden' });
    expect((await self.whoami()).recovery).toMatchObject({ public_key: recoverer.publicKey, pending: null });
    await page.locator('summary', { hasText: 'Remove the recovery key' }).press('Enter');
    await page.getByRole('button', { name: 'Remove it', exact: true }).press('Enter');
    await page.getByText('You have no recovery key.').waitFor();
    expect((await self.whoami()).recovery).toBeNull();
    await page.close();
  });

  test('saves and removes the key, and leads to the page for joining', async () => {
    const page = await open();
    await page.locator('summary', { hasText: 'Remove the key' }).waitFor();
    const agent = await programOf(page, world.url, world.service.baseUrl);
    expect([agent.museId, agent.publicKey]).toEqual([self.museId, await page.locator('#me-key').textContent()]);
    await page.locator('summary', { hasText: 'Remove the key' }).press('Enter');
    await page.getByRole('button', { name: 'Remove it from this browser' }).press('Enter');
    await page.waitForURL(/\/join$/);
    await page.locator('#notice', { hasText: 'Your key was removed' }).waitFor();
    await page.goto(`${world.url}/me`);
    await page.getByText('This browser has no key.').waitFor();
    expect([await overflowOf(page), await findingsOf(page), page.complaints]).toEqual([0, [], []]);
    await page.close();
  });
});
