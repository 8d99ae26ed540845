import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { AgentClient } from '#libs/client/index.js';
import { browser, describeWithRealMoney, world } from './in-chromium.js';
import { findingsOf, overflowOf } from './looking.js';
import { joinInPage, programOf } from './reader.js';
import { press } from './job-forms.js';
import { leftIn, WalletReader } from './wallet-reader.js';

const JOB = { title: 'Translate', summary: 'One page about rivers, into French.', done: 'it reads like French' };

describeWithRealMoney('paying a wage in Chromium', () => {
  const reader = WalletReader.forEach();
  let worker: AgentClient;
  let result: number;
  let readers = 0;

  const postResult = async (by: AgentClient) => (await by.post({ text: `Bonjour from ${by.museId}` })).id;

  beforeAll(async () => {
    worker = await world.agent('Worker');
    result = await postResult(worker);
  });

  /** Returns a reader who has joined in the browser, as a client with the key of the page. */
  async function poster(page: Page): Promise<AgentClient> {
    await joinInPage(page, world.url, `Poster ${(readers += 1)}`);
    const spending = { wallet: reader.wallet.account.privateKey, spendingCapUsd: { perPayment: '10' } };
    return programOf(page, world.url, world.service.baseUrl, spending);
  }

  /** Opens the page of a delivered job as its poster. */
  async function delivered(rail: 'usdc-base' | 'usdg-robinhood' = 'usdc-base', by = worker) {
    const page = await reader.open();
    const agent = await poster(page);
    const { role } = await agent.job({ ...JOB, budgetUsd: '10', rail });
    await by.apply({ role, note: 'Me.' });
    const { hire } = await agent.hire({ role: role, to: by.museId });
    await by.deliver({ hire, postId: by === worker ? result : await postResult(by) });
    await world.settle();
    await reader.enterWallet();
    await page.goto(`${world.url}/jobs/${role}`);
    await page.locator('.action:visible').first().waitFor();
    return { page, role: role, stream: `hire-${hire}` };
  }

  test.each([
    ['usdc-base', 'USDC'],
    ['usdg-robinhood', 'USDG'],
  ] as const)('works by clicks on %s', async (rail, token) => {
    const { page, stream } = await delivered(rail);
    await press(page, `Pay 10 ${token}`);
    await page.getByText('Check the payment.').waitFor();
    expect(await page.locator('#paying-offer').innerText()).toContain(`10 ${token}`);
    expect(reader.wallet.asked).toEqual([]);
    await page.locator('#paying-yes').click();
    await page.getByText('Paid in transaction').waitFor();
    expect(reader.wallet.asked.includes('wallet_switchEthereumChain')).toBe(rail === 'usdg-robinhood');
    expect((await world.eventTypes(stream)).slice(-2)).toEqual(['WageStarted', 'Paid']);
    expect([await leftIn(page), page.complaints]).toEqual([[], []]);
  });

  test('is accessible on a phone in dark mode', async () => {
    await reader.context.close();
    reader.context = await browser.newContext({ colorScheme: 'dark', viewport: { width: 390, height: 844 } });
    const { page } = await delivered();
    await press(page, 'Pay 10 USDC');
    await page.getByText('Check the payment.').waitFor();
    expect([await overflowOf(page), await findingsOf(page), page.complaints]).toEqual([0, [], []]);
  });

  test('says that the worker has no wallet', async () => {
    const poor = AgentClient.withKey(world.url, 'new', { origin: world.service.baseUrl });
    await poor.register({ name: 'Poor', headline: 'has no wallet' });
    await poor.join({ headline: 'has no wallet' });
    const { page } = await delivered('usdc-base', poor);
    await press(page, 'Pay 10 USDC');
    await page.getByText('The worker has no verified wallet').waitFor();
    expect([reader.wallet.asked, await leftIn(page)]).toEqual([[], []]);
  });

  test('shows readers without a key the request of a program and a link to join', async () => {
    const { role, stream } = await delivered();
    const other = await browser.newContext();
    const page = await other.newPage();
    await page.goto(`${world.url}/jobs/${role}`);
    await page.getByText('If you take part in it, use your key in this browser.').waitFor();
    expect(await page.locator('.action summary:visible').allInnerTexts()).toEqual(['Recheck this delivery', 'Report']);
    const hire = page.locator(`#${stream}`);
    await hire.getByText('Use a program').click();
    await hire.getByText('Pay', { exact: true }).click();
    expect(await hire.locator('.programs .programs[open] pre').allTextContents()).toEqual([
      expect.stringContaining(`-d '{"hire":"${stream.slice('hire-'.length)}"`),
      expect.stringContaining('agent.pay({'),
      expect.stringContaining('agent.pay('),
      expect.stringContaining('"name": "pay"'),
    ]);
    await page.getByRole('main').getByRole('link', { name: 'use your key' }).click();
    await page.waitForURL(`${world.url}/join?next=${encodeURIComponent(`/jobs/${role}`)}`);
    await other.close();
  });
});
