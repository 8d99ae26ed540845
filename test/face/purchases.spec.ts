import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeWithRealMoney, world } from './in-chromium.js';
import { fillJob, press } from './job-forms.js';
import { joinInPage } from './reader.js';
import { leftIn, loseAnswer, WalletReader } from './wallet-reader.js';

type ReaderPage = Awaited<ReturnType<WalletReader['open']>>;

describeWithRealMoney('requests without an answer in Chromium', () => {
  const reader = WalletReader.forEach();
  let readers = 0;

  /** Opens a page of a reader who has joined. */
  async function join() {
    await reader.enterWallet();
    const page = await reader.open();
    await joinInPage(page, world.url, `Buyer ${(readers += 1)}`);
    return page;
  }

  /** Opens a tab that sends a job and shows its price. */
  async function offer(budgetUsd: string, page?: ReaderPage) {
    const tab = page ?? (await reader.open());
    await tab.goto(`${world.url}/post-job`);
    await fillJob(tab, budgetUsd);
    await press(tab, 'Post the job');
    await tab.getByText('Check the payment.').waitFor();
    return tab;
  }

  const pay = (page: Page) => page.locator('#paying-yes').click();

  /** Opens a tab that waits for ever for the answer of a paid job. */
  async function payWithoutAnswer(page?: ReaderPage) {
    const tab = await offer('10', page);
    const executed = loseAnswer(tab, '/api/job');
    await pay(tab);
    await executed;
    return tab;
  }

  async function removeKey(page: Page) {
    await page.goto(`${world.url}/me`);
    await page.locator('summary', { hasText: 'Remove the key' }).click();
    await page.getByRole('button', { name: 'Remove it from this browser' }).click();
    await page.waitForURL(/\/join$/);
    return page.locator('#notice').innerText();
  }

  const posted = (page: Page) => page.locator('#notice', { hasText: 'Your job is posted.' }).waitFor();
  const counts = () => world.counts('JobPosted', 'PaymentSettled');
  const signatures = () => reader.wallet.asked.filter(method => method === 'eth_signTypedData_v4').length;

  test('a paid request stays stored while another tab pays for another one', async () => {
    const first = await payWithoutAnswer(await join());
    const stored = await leftIn(first);
    const second = await offer('20');
    expect(await leftIn(second)).toEqual(expect.arrayContaining([...stored]));
    await pay(second);
    await posted(second);
    expect([stored.length, await leftIn(second)]).toEqual([1, stored]);
    expect([first.complaints, signatures()]).toEqual([[], 2]);
  });

  test('the pages that open next resume a paid request once, with or without forms', async () => {
    const first = await join();
    const [jobs, payments] = await counts();
    await (await payWithoutAnswer(first)).close();
    const pages = await Promise.all(
      ['/', '/docs'].map(async path => {
        const page = await reader.open();
        await page.goto(world.url + path);
        return page;
      }),
    );
    await Promise.any(pages.map(posted));
    expect([await counts(), signatures()]).toEqual([[jobs! + 1, payments! + 1], 1]);
    expect(pages.filter(page => /\/jobs\/job-/.test(page.url()))).toHaveLength(1);
    expect([await leftIn(pages[0]!), pages.flatMap(page => page.complaints)]).toEqual([[], []]);
  });

  test('an unpaid request is sent again by another page if the reader agrees', async () => {
    const first = await join();
    const [jobs, payments] = await counts();
    await (await offer('10', first)).close();
    const page = await reader.open();
    await page.goto(`${world.url}/status`);
    await page.getByText('“Job of 10” was sent from this browser without an answer.').waitFor();
    await press(page, 'Send it again');
    await page.getByText('Check the payment.').waitFor();
    await pay(page);
    await posted(page);
    expect([await counts(), await leftIn(page), page.complaints]).toEqual([[jobs! + 1, payments! + 1], [], []]);
  });

  test('removing the key names the open requests and removes their records', async () => {
    await payWithoutAnswer(await join());
    await (await offer('20')).close();
    const page = await reader.open();
    expect(await leftIn(await offer('30', page))).toHaveLength(3);
    const notice = await removeKey(page);
    expect(notice).toContain('“Job of 10” has no answer. The signed payment can still be used until');
    for (const title of ['Job of 20', 'Job of 30'])
      expect(notice).toContain(`“${title}” has no answer and is not paid. It may have been executed`);
    expect([await leftIn(page), page.complaints]).toEqual([[], []]);
  });

  test('a request is not paid after another tab has removed it', async () => {
    const first = await offer('10', await join());
    const before = await counts();
    await removeKey(await reader.open());
    await pay(first);
    await first.getByText('Another tab has continued or removed this request.').waitFor();
    expect([await counts(), await leftIn(first)]).toEqual([before, []]);
  });

  test('requests of another agent are neither resumed nor removed', async () => {
    const first = await offer('10', await join());
    const [name] = await leftIn(first);
    await first.evaluate(stored => {
      const purchase = JSON.parse(localStorage.getItem(stored)!) as object;
      localStorage.setItem(stored, JSON.stringify({ ...purchase, museId: 'agent_0123456789' }));
    }, name!);
    await first.close();
    const page = await reader.open();
    for (const path of ['/post-job', '/']) {
      await page.goto(world.url + path, { waitUntil: 'networkidle' });
      expect(await page.getByText('was sent from this browser').count()).toBe(0);
    }
    expect(await removeKey(page)).toBe('Your key was removed from this browser.');
    expect(await leftIn(page)).toEqual([name]);
  });
});
