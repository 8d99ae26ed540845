import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browser, describeWithRealMoney, world } from './in-chromium.js';
import { InjectedWallet } from './injected-wallet.js';
import { fillJob } from './job-forms.js';
import { findingsOf, overflowOf } from './looking.js';
import { joinInPage } from './reader.js';
import { leftIn, loseAnswer, WalletReader } from './wallet-reader.js';

describeWithRealMoney('posting a job in Chromium', () => {
  const reader = WalletReader.forEach();
  let readers = 0;

  /** Opens the form of a joined reader and fills it in. */
  async function filled(budgetUsd: string, rail = 'usdc-base'): Promise<Page & { complaints: string[] }> {
    const page = await reader.open();
    await joinInPage(page, world.url, `Reader ${(readers += 1)}`);
    await page.goto(`${world.url}/post-job`);
    await fillJob(page, budgetUsd, rail);
    return page;
  }

  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
  const state = (page: Page) => page.locator('#paying-state').textContent();
  const jobs = async () => (await world.counts('JobPosted'))[0]!;
  const settled = async () => (await world.counts('PaymentSettled'))[0]!;
  const posted = async (page: Page) => {
    await page.waitForURL(/\/jobs\/job-/);
    await page.getByText('Your job is posted.').waitFor();
  };

  test.each(['usdc-base', 'usdg-robinhood'])('works by clicks on %s', async rail => {
    await reader.enterWallet();
    const [before, page] = [await settled(), await filled('10', rail)];
    await press(page, 'Post the job');
    await page.getByText('Check the payment.').waitFor();
    const { serviceWallet } = world.service.chains.settings;
    const token = rail === 'usdc-base' ? 'USDC' : 'USDG';
    expect(await page.locator('#paying-offer').innerText()).toContain(`0.5 ${token}`);
    expect(await page.locator('#paying-offer').innerText()).toContain(serviceWallet);
    // The wallet must not be asked before its owner agrees.
    expect(reader.wallet.asked).toEqual([]);
    await press(page, `Pay 0.5 ${token}`);
    await posted(page);
    expect(reader.wallet.asked.filter(method => method === 'eth_signTypedData_v4')).toHaveLength(1);
    expect([await settled(), await leftIn(page), page.complaints]).toEqual([before + 1, [], []]);
    const { role } = await world.reader().role({ slug: new URL(page.url()).pathname.split('/').at(-1)! });
    expect(role).toMatchObject({ budget: { usd: '10', rail }, fee_paid: true });
  });

  test('is accessible on a phone in dark mode', async () => {
    await reader.context.close();
    reader.context = await browser.newContext({ colorScheme: 'dark', viewport: { width: 390, height: 844 } });
    await reader.enterWallet('One');
    await new InjectedWallet().enter(reader.context, 'Two');
    const page = await filled('10');
    expect([await overflowOf(page), await findingsOf(page)]).toEqual([0, []]);
    await press(page, 'Post the job');
    await page.getByText('Check the payment.').waitFor();
    expect([await overflowOf(page), await findingsOf(page), page.complaints]).toEqual([0, [], []]);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Pay 0.5 USDC');
  });

  test('needs no wallet for a free job', async () => {
    const page = await filled('');
    await press(page, 'Post the job');
    await posted(page);
    expect([await leftIn(page), page.complaints]).toEqual([[], []]);
  });

  test('shows the price without a wallet and leaves nothing behind', async () => {
    const [before, page] = [await jobs(), await filled('10')];
    await press(page, 'Post the job');
    await page.getByText('This costs 0.5 USDC on Base, but this browser has no wallet.').waitFor();
    expect([await jobs(), await leftIn(page)]).toEqual([before, []]);
  });

  test('posts nothing and leaves nothing behind if the reader does not pay', async () => {
    await reader.enterWallet();
    const [before, page] = [await jobs(), await filled('10')];
    await press(page, 'Post the job');
    await press(page, 'Do not pay');
    await page.getByText('You did not pay. Nothing was signed.').waitFor();
    expect([reader.wallet.asked, await leftIn(page)]).toEqual([[], []]);
    reader.wallet.refuses.add('eth_signTypedData_v4');
    await press(page, 'Post the job');
    await press(page, 'Pay 0.5 USDC');
    await page.getByText('You rejected the payment in your wallet. Nothing was signed.').waitFor();
    expect([await jobs(), await leftIn(page)]).toEqual([before, []]);
    // The form keeps its contents, and another attempt is a new purchase.
    reader.wallet.refuses.clear();
    await press(page, 'Post the job');
    await press(page, 'Pay 0.5 USDC');
    await posted(page);
    expect(await jobs()).toBe(before + 1);
  });

  test('asks a wallet on another chain to switch', async () => {
    await reader.enterWallet();
    reader.wallet.chainId = 1;
    const page = await filled('10');
    const scripts: Promise<string>[] = [];
    page.on('response', answer => void (answer.url().endsWith('.js') && scripts.push(answer.text())));
    await press(page, 'Post the job');
    await press(page, 'Pay 0.5 USDC');
    await posted(page);
    // The store and the words of the wallet for a development chain.
    const texts = await Promise.all(scripts);
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter(text => text.includes('play-money-wallet'))).toEqual([]);
    expect(await page.content()).not.toMatch(/play.money/i);
    expect(reader.wallet.asked).toEqual([
      'eth_requestAccounts',
      'eth_chainId',
      'wallet_switchEthereumChain',
      'eth_signTypedData_v4',
    ]);
    expect(reader.wallet.chainId).toBe(8453);
  });

  test('names a chain that the wallet does not know', async () => {
    await reader.enterWallet();
    reader.wallet.knows = [8453];
    const page = await filled('10', 'usdg-robinhood');
    await press(page, 'Post the job');
    await press(page, 'Pay 0.5 USDG');
    await page.getByText('Your wallet does not know Robinhood Chain (4663)').waitFor();
    expect(await leftIn(page)).toEqual([]);
  });

  test('lets the reader choose between several wallets', async () => {
    const other = new InjectedWallet();
    await reader.enterWallet('First');
    await other.enter(reader.context, 'Second');
    await world.fund(other.account.address);
    const page = await filled('10');
    await press(page, 'Post the job');
    await page.getByLabel('Pay with').selectOption('Second');
    await press(page, 'Pay 0.5 USDC');
    await posted(page);
    expect([reader.wallet.asked, other.asked.at(-1)]).toEqual([[], 'eth_signTypedData_v4']);
  });

  test('that was interrupted after the payment resumes at the next visit, paid once', async () => {
    await reader.enterWallet();
    const [before, paid, page] = [await jobs(), await settled(), await filled('10')];
    const carriedOut = loseAnswer(page, '/api/job');
    await press(page, 'Post the job');
    await press(page, 'Pay 0.5 USDC');
    await carriedOut;
    expect([await jobs(), await settled()]).toEqual([before + 1, paid + 1]);
    expect(await leftIn(page)).toHaveLength(1);
    await page.close();
    const again = await reader.context.newPage();
    await again.goto(`${world.url}/post-job`);
    await posted(again);
    const notice = await again.locator('#notice').innerText();
    expect(notice).toMatch(/^Your earlier payment was resumed\. Your job is posted\. Paid in transaction/);
    expect([await jobs(), await settled(), await leftIn(again)]).toEqual([before + 1, paid + 1, []]);
    expect(reader.wallet.asked.filter(method => method === 'eth_signTypedData_v4')).toHaveLength(1);
  });

  test('with an empty wallet can be paid once the wallet is funded', async () => {
    reader.wallet = new InjectedWallet();
    await reader.enterWallet();
    const [before, page] = [await jobs(), await filled('10')];
    await press(page, 'Post the job');
    await press(page, 'Pay 0.5 USDC');
    await page.getByText('Send it to this wallet, then try again.').waitFor();
    const poor = reader.wallet.account.address;
    expect(await state(page)).toContain(`Nothing was executed: the wallet ${poor} has less than 0.5 USDC on Base.`);
    await world.fund(reader.wallet.account.address);
    await press(page, 'Try again');
    await posted(page);
    expect([await jobs(), await leftIn(page)]).toEqual([before + 1, []]);
  });

  test('links to the page for joining if the reader has no key', async () => {
    const page = await reader.context.newPage();
    await page.goto(`${world.url}/post-job`);
    await page.getByText('To post a job here, you join with a name at the last step.').waitFor();
    const [free, paid] = await page.locator('pre', { hasText: '/api/job' }).allTextContents();
    expect([free, paid]).toEqual([expect.not.stringContaining('budget'), expect.stringContaining('budget_usd')]);
    await page.getByRole('link', { name: 'use your key' }).click();
    await page.waitForURL(/\/join\?next=%2Fpost-job$/);
    await page.getByLabel('Name').fill('Comes Back');
    await page.getByLabel('What you do').fill('reads pages');
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await page.getByRole('link', { name: 'Go back to continue' }).click();
    await page.waitForURL(/\/post-job$/);
    for (const next of ['//example.com', '/\\example.com', '/\t/example.com', 'https://example.com', '//[']) {
      await page.goto(`${world.url}/join?next=${encodeURIComponent(next)}`);
      await page.getByText('This browser holds a key.').waitFor();
      expect(await page.getByRole('link', { name: 'Go back to continue' }).count()).toBe(0);
    }
  });

  test('shows the request of a program without scripts', async () => {
    const still = await browser.newContext({ javaScriptEnabled: false });
    const page = await still.newPage();
    await page.goto(`${world.url}/post-job`);
    expect(await state(page)).toContain('This form needs JavaScript');
    for (const text of ['agent.job({', 'agent.job(', `curl -s '${world.url}/api/job'`])
      expect(await page.locator('main').textContent()).toContain(text);
    await still.close();
  });
});
