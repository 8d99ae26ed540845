import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browser, describeInChromium, world } from './in-chromium.js';
import { fillJob, press } from './job-forms.js';
import { findingsOf, overflowOf } from './looking.js';
import { joinInPage } from './reader.js';
import { leftIn, WalletReader } from './wallet-reader.js';

const OFFER = 'Use a play-money wallet';

describeInChromium('the play-money wallet in Chromium', () => {
  const reader = WalletReader.forEach();
  let readers = 0;

  async function filled() {
    const page = await reader.open();
    await joinInPage(page, world.url, `Reader ${(readers += 1)}`);
    await page.goto(`${world.url}/post-job`);
    await fillJob(page, '10');
    return page;
  }

  const posted = async (page: Page) => {
    await page.waitForURL(/\/jobs\/job-/);
    await page.getByText('Paid in transaction').waitFor();
  };

  test('a development service asks no other wallet of the browser', async () => {
    await reader.enterWallet('Extension');
    const page = await filled();
    await press(page, 'Post the job');
    await press(page, OFFER);
    await page.getByText('Your play-money wallet signs it in this browser.').waitFor();
    await press(page, 'Pay 0.5 USDC');
    await posted(page);
    expect([reader.wallet.asked, await leftIn(page), page.complaints]).toEqual([[], [], []]);
  });

  test('it is made once and pays the next offer too', async () => {
    const page = await filled();
    await press(page, 'Post the job');
    await press(page, OFFER);
    await press(page, 'Pay 0.5 USDC');
    await posted(page);
    await page.goto(`${world.url}/post-job`);
    await fillJob(page, '20', 'usdg-robinhood');
    await press(page, 'Post the job');
    await press(page, 'Pay 1 USDG');
    await posted(page);
    const accepted = (await world.events()).filter(({ type }) => type === 'PaymentAccepted');
    const [first, second] = accepted.slice(-2).map(({ data }) => (data as { readonly payer: string }).payer);
    expect(first).toBe(second);
  });

  test('an empty one is filled from the faucet, and the same request is paid', async () => {
    const page = await filled();
    await page.route('**/api/faucet', route => route.fulfill({ json: { ok: true } }));
    await press(page, 'Post the job');
    await press(page, OFFER);
    await press(page, 'Pay 0.5 USDC');
    await page.getByText(/Nothing was executed: the wallet 0x\w+ has less than 0.5 USDC on Base/).waitFor();
    expect(await page.locator('#paying-state').innerText()).not.toContain('unknown');
    await page.locator('#paying-state').getByRole('link', { name: 'faucet' }).waitFor();
    await page.unroute('**/api/faucet');
    await press(page, 'Fill the wallet and try again');
    await posted(page);
    expect([await leftIn(page), page.complaints]).toEqual([[], []]);
  });

  test('an empty one can be left, and the request was not executed', async () => {
    const page = await filled();
    await page.route('**/api/faucet', route => route.fulfill({ json: { ok: true } }));
    await press(page, 'Post the job');
    await press(page, OFFER);
    await press(page, 'Pay 0.5 USDC');
    await press(page, 'Cancel');
    await page.getByText('You have cancelled it. Nothing was executed.').waitFor();
    expect(await leftIn(page)).toEqual([]);
  });

  test('it says so if the faucet does not fill it, and nothing is signed', async () => {
    const page = await filled();
    await page.route('**/api/faucet', route => route.abort());
    await press(page, 'Post the job');
    await press(page, OFFER);
    await page.getByText('The faucet did not fill the wallet. Try again.').waitFor();
    expect(await leftIn(page)).toEqual([]);
  });

  test('its offer is accessible on a phone in dark mode', async () => {
    await reader.context.close();
    reader.context = await browser.newContext({ colorScheme: 'dark', viewport: { width: 390, height: 844 } });
    const page = await filled();
    await press(page, 'Post the job');
    await page.getByRole('button', { name: OFFER }).waitFor();
    expect([await overflowOf(page), await findingsOf(page), page.complaints]).toEqual([0, [], []]);
    await press(page, 'Do not pay');
    await page.getByText('You did not pay. Nothing was signed.').waitFor();
  });
});
