import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { AgentClient } from '#libs/client/index.js';
import { CLEAN } from '../world.js';
import { HAS_CHROMIUM, titled } from './chromium.js';
import { findingsOf, overflowOf } from './looking.js';
import { joinInPage, programOf } from './reader.js';
import { WalletPages } from './wallet-pages.js';

const JOB = { title: 'Translate', summary: 'One page about rivers, into French.', done: 'it reads like French' };

(HAS_CHROMIUM ? describe : describe.skip)(titled('paying a wage in Chromium'), () => {
  const reader = WalletPages.forEach();
  let worker: AgentClient;
  let readers = 0;

  beforeAll(async () => {
    worker = await reader.world.agent('Worker');
  });

  /** Returns a reader who has joined in the browser, as a client with the key of the page. */
  async function poster(page: Page): Promise<AgentClient> {
    await joinInPage(page, reader.world.url, `Poster ${(readers += 1)}`);
    const spending = { wallet: reader.wallet.account.privateKey, spendingCapUsd: { perPayment: '10' } };
    return programOf(page, reader.world.url, reader.world.service.baseUrl, spending);
  }

  /** Opens the page of a delivered job as its poster. */
  async function delivered(rail: 'usdc-base' | 'usdg-robinhood' = 'usdc-base', by = worker) {
    const page = await reader.open();
    const agent = await poster(page);
    const { role } = await agent.job({ ...JOB, budgetUsd: '10', rail });
    await by.apply({ role, note: 'Me.' });
    const { hire } = await agent.hire({ role: role, to: by.museId });
    await by.deliver({ hire, url: reader.world.page('bonjour') });
    await reader.world.settle();
    await reader.enterWallet();
    await page.goto(`${reader.world.url}/jobs/${role}`);
    await page.locator('.action:visible').first().waitFor();
    return { page, role: role, stream: `hire-${hire}` };
  }

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const leftIn = (page: Page) => page.evaluate(() => Object.keys(localStorage));
  const settledPayments = async () => (await reader.world.counts('PaymentSettled'))[0]!;

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
    expect((await reader.world.eventTypes(stream)).slice(-2)).toEqual(['WageStarted', 'Paid']);
    expect([await leftIn(page), page.complaints]).toEqual([[], []]);
  });

  test('is accessible on a phone in dark mode', async () => {
    await reader.context.close();
    reader.context = await reader.browser.newContext({ colorScheme: 'dark', viewport: { width: 390, height: 844 } });
    const { page } = await delivered();
    await press(page, 'Pay 10 USDC');
    await page.getByText('Check the payment.').waitFor();
    expect([await overflowOf(page), await findingsOf(page), page.complaints]).toEqual([0, [], []]);
  });

  test('leaves nothing behind if the payer refuses in the wallet', async () => {
    const { page, stream } = await delivered();
    reader.wallet.refuses.add('eth_signTypedData_v4');
    await press(page, 'Pay 10 USDC');
    await page.locator('#paying-yes').click();
    await page.getByText('You rejected the payment in your wallet. Nothing was signed.').waitFor();
    expect(await leftIn(page)).toEqual([]);
    expect(await reader.world.eventTypes(stream)).not.toContain('WageStarted');
  });

  test('is resumed at the next visit after an interrupted payment and paid once', async () => {
    const { page, role, stream } = await delivered();
    const before = await settledPayments();
    const carriedOut = new Promise<void>(resolve => {
      void page.route(`${reader.world.url}/api/pay`, async route => {
        if (!route.request().headers()['payment-signature']) return route.continue();
        await route.fetch();
        resolve();
      });
    });
    await press(page, 'Pay 10 USDC');
    await page.locator('#paying-yes').click();
    await carriedOut;
    await page.close();
    await reader.world.settle();
    const again = await reader.context.newPage();
    await again.goto(`${reader.world.url}/jobs/${role}`);
    await again.getByText(/Paid in transaction|Paid\./).waitFor();
    expect([await settledPayments(), await leftIn(again)]).toEqual([before + 1, []]);
    expect((await reader.world.eventTypes(stream)).filter(type => type === 'Paid')).toHaveLength(1);
    expect(reader.wallet.asked.filter(method => method === 'eth_signTypedData_v4')).toHaveLength(1);
  });

  test('says that the worker has no wallet', async () => {
    const poor = AgentClient.withKey(reader.world.url, 'new', { origin: reader.world.service.baseUrl });
    await poor.register({ name: 'Poor', headline: 'has no wallet' });
    await poor.join({ headline: 'has no wallet' });
    const { page } = await delivered('usdc-base', poor);
    await press(page, 'Pay 10 USDC');
    await page.getByText('The worker has no verified wallet').waitFor();
    expect([reader.wallet.asked, await leftIn(page)]).toEqual([[], []]);
  });

  test('shows readers without a key the request of a program and a link to join', async () => {
    const { role, stream } = await delivered();
    const other = await reader.browser.newContext();
    const page = await other.newPage();
    await page.goto(`${reader.world.url}/jobs/${role}`);
    await page.getByText('If you take part in it, use your key in this browser.').waitFor();
    expect(await page.locator('.action:visible').count()).toBe(0);
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
    await page.waitForURL(`${reader.world.url}/join?next=${encodeURIComponent(`/jobs/${role}`)}`);
    await other.close();
  });

  test('the log passes the audit', async () => expect(await reader.world.audit()).toEqual(CLEAN));
});
