import { beforeAll, expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import type { BrowserContext } from 'playwright-core';
import type { AgentClient } from '#libs/client/index.js';
import { browser, describeInChromium, START_MS, world } from './in-chromium.js';
import { findingsOf, overflowOf } from './looking.js';
import { joinInPage, programOf, watched } from './reader.js';

describeInChromium('acting on pages in Chromium', () => {
  let context: BrowserContext;
  let ada: AgentClient;
  let post: number;
  /** The agent whose key the browser holds. */
  let reader: string;
  let self: AgentClient;

  beforeAll(async () => {
    ada = await world.agent('Ada Byte');
    await ada.profile({ skills: ['french'] });
    post = (await ada.post({ text: 'Looking for work.' })).id;
    context = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
    const page = await context.newPage();
    reader = await joinInPage(page, world.url, 'Ben Reader');
    self = await programOf(page, world.url, world.service.baseUrl);
    await page.close();
    await world.settle();
  }, START_MS);

  async function open(path: string, of = context) {
    const page = watched(await of.newPage());
    await page.goto(world.url + path);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const opener = (name: string) => page.locator('summary:visible', { hasText: name }).first();
    const notice = (text: string) => page.locator('#notice', { hasText: text }).waitFor();
    const check = async () =>
      expect([await overflowOf(page), await findingsOf(page), page.complaints]).toEqual([0, [], []]);
    return { page, button, opener, notice, check };
  }

  test('a notice covers no text, closes by a key, and disappears after a while', async () => {
    const { page } = await open('/feed');
    await page.clock.install();
    for (const close of [() => page.keyboard.press('Escape'), () => page.clock.fastForward(NOTICE_MS)]) {
      await page.evaluate(() => sessionStorage.setItem('notice', 'Your post is in the feed.'));
      await page.reload();
      const shown = (await page.locator('#notice').boundingBox())!;
      expect(shown.y + shown.height).toBeLessThan((await page.locator('h1').boundingBox())!.y);
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      const scrolled = (await page.locator('#notice').boundingBox())!;
      expect(scrolled.y).toBe(shown.y - (await page.evaluate(() => scrollY)));
      await close();
      await page.locator('#notice').waitFor({ state: 'hidden' });
    }
    await page.close();
  });

  test('writes a post, replies, reacts and deletes by the keyboard', async () => {
    const { page, button, opener, notice, check } = await open('/feed');
    await opener('Write a post').press('Enter');
    await page.getByLabel('Text').fill('Hello #network, I am @Ben_Reader.');
    await check();
    await button('Post').press('Enter');
    await page.waitForURL(/\/feed\/\d+$/);
    await notice('Your post is in the feed.');
    await page.getByRole('link', { name: '@Ben_Reader' }).waitFor();
    await opener('Delete').press('Enter');
    await check();
    await button('Delete this post').press('Enter');
    await page.waitForURL(/\/feed$/);
    await notice('The post is deleted.');
    await page
      .locator('.rows > li', { hasText: 'Looking for work.' })
      .getByRole('link', { name: 'Reply' })
      .press('Enter');
    await page.waitForURL(`${world.url}/feed/${post}#reply`);
    await page.getByLabel('Your reply').fill('What can you do?');
    await button('Reply').press('Enter');
    await notice('Your reply is posted.');
    await page.locator('.rows .said', { hasText: 'What can you do?' }).waitFor();
    await opener('React').press('Enter');
    await button('Insightful').first().press('Enter');
    await notice('You have reacted.');
    expect((await world.reader().thread({ id: String(post) })).reactors).toMatchObject([
      { muse_id: reader, type: 'insightful' },
    ]);
    await check();
    await button('Take back your reaction').press('Enter');
    await notice('You have taken back');
    expect((await world.reader().thread({ id: String(post) })).reactors).toEqual([]);
    await page.close();
  });

  test('offers to delete only the own posts', async () => {
    const { page, opener } = await open(`/feed/${post}`);
    await opener('React').waitFor();
    expect(await page.locator('summary:visible', { hasText: 'Delete' }).count()).toBe(1);
    await page.close();
  });

  test('marks a wrong field and moves there', async () => {
    const { page, button, opener } = await open('/feed');
    await opener('Write a post').click();
    await page.getByLabel('Text').fill('Hello.');
    await page.getByLabel('Title').fill('Without a board');
    await button('Post').click();
    await page.locator('.fault', { hasText: 'This is only allowed' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('title');
    await page.close();
  });

  test('connects, writes, recommends and endorses, as far as the agents are connected', async () => {
    const person = `/people/${ada.museId}`;
    const { page, button, opener, notice, check } = await open(person);
    await button('Connect').press('Enter');
    await notice('You are connected, or have asked to be.');
    expect(await page.locator('summary:visible').allTextContents()).not.toContain('Recommend');
    await ada.connect({ to: reader });
    await world.settle();
    await page.reload();
    await opener('Message').press('Enter');
    await page.getByLabel('Message').fill('Are you free?');
    await check();
    await button('Send the message').press('Enter');
    await notice('Your message is sent.');
    expect((await ada.messages({ with: reader })).items).toMatchObject([{ text: 'Are you free?', paid: false }]);
    await opener('Recommend').press('Enter');
    await page.getByRole('textbox', { name: 'Recommendation' }).fill('Always early, and every word is right.');
    await button('Recommend').press('Enter');
    await notice('Your recommendation');
    await opener('Endorse').press('Enter');
    await button('Endorse').press('Enter');
    await notice('Your endorsement');
    const { endorsements, recommendations } = await world.reader().muse({ id: ada.museId });
    expect([endorsements, recommendations]).toMatchObject([[{ skill: 'french', bare: 1 }], [{ from: reader }]]);
    await check();
    await page.close();
  });

  test('pays for a message to a verified agent that is not connected', async () => {
    const paidTo = Wallet.createRandom();
    await world.fund(paidTo.address);
    const carl = await world.agent('Carl Verified', { wallet: paidTo.privateKey });
    await carl.verify({ wallet: paidTo.address });
    await world.settle();
    const { page, button, opener, notice } = await open(`/people/${carl.museId}`);
    await opener('Message').click();
    await page.getByLabel('Message').fill('Are you free?');
    await button('Send the message').click();
    await button('Use a play-money wallet').click();
    await page.getByRole('button', { name: /^Pay/ }).click();
    await notice('Paid in transaction');
    expect((await carl.messages({ with: reader })).items).toMatchObject([{ text: 'Are you free?', paid: true }]);
    await page.close();
  });

  test('lets a poster endorse for a hire without a connection', async () => {
    const worker = await world.agent('Dora Works');
    await worker.profile({ skills: ['french'] });
    const job = { title: 'Translate', summary: 'One page about rivers, into French.', done: 'it reads well' };
    const { role } = await self.job({ ...job, skills: ['french'] });
    await worker.apply({ role, note: 'Me.' });
    await self.hire({ role, to: worker.museId });
    await world.settle();
    const { page, button, opener, notice } = await open(`/people/${worker.museId}`);
    await opener('Endorse').click();
    expect(await page.getByLabel('Hire that shows it').innerText()).toBe('Translate');
    await button('Endorse').click();
    await notice('Your endorsement');
    const { endorsements } = await world.reader().muse({ id: worker.museId });
    expect(endorsements).toMatchObject([{ skill: 'french', cited: 1 }]);
    await page.close();
  });

  test('blocks an agent on its page, and unblocks it at its application', async () => {
    const applicant = await world.agent('Kim Knocks');
    const { role } = await self.job({ title: 'Translate', summary: 'One page into French.', done: 'it reads well' });
    await applicant.apply({ role, note: 'Me.' });
    await world.settle();
    const { page, button, opener, notice, check } = await open(`/people/${applicant.museId}`);
    await opener('Block').press('Enter');
    await check();
    await button('Block this agent').press('Enter');
    await notice('You hear nothing from this agent any more.');
    expect((await self.blocks()).blocks).toMatchObject([{ muse_id: applicant.museId }]);
    await button('Unblock').waitFor();
    expect(await page.locator('summary:visible', { hasText: 'Block' }).count()).toBe(0);
    await page.goto(`${world.url}/jobs/${role}`);
    await button('Unblock').press('Enter');
    await notice('You hear from this agent again.');
    expect((await self.blocks()).blocks).toEqual([]);
    await opener('Block').waitFor();
    await check();
    await page.close();
  });

  test('offers nothing on the own page, and to join without a key', async () => {
    const own = await open(`/people/${reader}`);
    await own.page.locator('.with-key').first().waitFor({ state: 'attached' });
    expect(await own.page.locator('main .action:visible, .for-others:visible').count()).toBe(0);
    await own.page.close();
    const { page, check } = await open(`/feed/${post}`, await browser.newContext());
    await page.getByRole('link', { name: 'use your key' }).click();
    await page.waitForURL(`${world.url}/join?next=${encodeURIComponent(`/feed/${post}`)}`);
    await check();
    await page.context().close();
  });
});

/** Longer than a notice stays. */
const NOTICE_MS = 15_000;
