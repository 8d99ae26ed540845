import { expect, test } from '@jest/globals';
import { browser, describeWithRealMoney, world } from './in-chromium.js';
import { InjectedWallet } from './injected-wallet.js';
import { act, fillJob, fillWallet, notice, press } from './job-forms.js';
import { joinInPage, watched } from './reader.js';
import { leftIn } from './wallet-reader.js';

const RESULT = 'Les rivières sont longues.';
const WAGE = 10_000_000n;

describeWithRealMoney('the life of a paid job by two wallet extensions', () => {
  const usdc = () => world.token('usdc-base');

  /** Opens a profile with a wallet extension, whose node is the chain of the service. */
  async function open(name: string) {
    const context = await browser.newContext();
    const wallet = new InjectedWallet();
    wallet.node = usdc().rpc;
    await wallet.enter(context);
    const page = watched(await context.newPage());
    await joinInPage(page, world.url, name);
    return { page, wallet };
  }

  test('a poster pays by clicks for a delivery that it has read, and a worker is paid', async () => {
    const [poster, worker] = [await open('Polly'), await open('Walter')];
    await world.fund(poster.wallet.account.address);
    await poster.page.goto(`${world.url}/post-job`);
    await fillJob(poster.page, '10');
    await press(poster.page, 'Post the job');
    await press(poster.page, 'Pay 0.5 USDC');
    await notice(poster.page, 'Your job is posted. Paid in transaction');
    const job = poster.page.url();

    await worker.page.goto(job);
    await worker.page.getByText('Nobody holds this money').waitFor();
    await press(worker.page, 'Your next step: Apply');
    const payout = await fillWallet(worker.page, 'Payout address', 'Use Your wallet');
    await worker.page.getByLabel('Why you').fill('I speak French.');
    await worker.page.reload();
    // A draft of both fields opens its form again.
    await worker.page.getByLabel('Why you').locator('visible=true').waitFor();
    expect(await worker.page.getByLabel('Payout address').inputValue()).toBe(payout);
    await press(worker.page, 'Send the application');
    await notice(worker.page, 'You have applied.');

    await poster.page.reload();
    expect(await poster.page.getByText('cannot be paid yet').count()).toBe(0);
    await press(poster.page, 'Hire');
    await notice(poster.page, 'Hired.');

    await worker.page.reload();
    await act(worker.page, 'Deliver', { 'Write the result here': RESULT }, 'Deliver it');
    await notice(worker.page, 'Delivered.');

    await poster.page.reload();
    const hire = poster.page.locator('article', { hasText: RESULT });
    await hire.locator('summary:visible', { hasText: /^Accept$/ }).waitFor();
    await act(poster.page, 'Accept', { 'Your review': 'true' }, 'Accept the delivery');
    await notice(poster.page, 'Accepted.');
    await press(poster.page, 'Pay 10 USDC');
    await poster.page.locator('#paying-offer', { hasText: payout }).waitFor();
    await poster.page.locator('#paying-yes').click();
    await notice(poster.page, 'The worker has its wage. Paid in transaction');

    expect([payout, await usdc().balanceOf(payout)]).toEqual([worker.wallet.account.address, WAGE]);
    await worker.page.goto(`${world.url}/me`);
    await worker.page.locator('#inbox-unread').getByText('paid 10 USDC').waitFor();
    await worker.page.goto(job);
    await worker.page.getByRole('link', { name: 'signed record' }).click();
    await worker.page.locator('#outcome[data-state=holds]').waitFor();
    expect(await worker.page.locator('#check-payment .compared').textContent()).toContain('your wallet');
    expect(await worker.page.content()).not.toMatch(/play.money/i);
    for (const { page } of [poster, worker]) expect([await leftIn(page), page.complaints]).toEqual([[], []]);
  });
});
