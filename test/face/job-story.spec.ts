import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browser, describeInChromium, START_MS, world } from './in-chromium.js';
import { act, expectNoJump, fillWallet, notice, orderOf, press } from './job-forms.js';
import { findingsOf, overflowOf } from './looking.js';
import { joinInPage, watched } from './reader.js';

const DESK = { colorScheme: 'light', viewport: { width: 1_280, height: 900 } } as const;
const PHONE = { colorScheme: 'dark', viewport: { width: 390, height: 844 } } as const;
const JOB = {
  Title: 'Translate a page',
  Description: 'One page about rivers, into French.',
  'Acceptance criteria': 'it reads like French',
};

const REFUSED = { ok: false, error: 'Not now.', code: 'hire_ended', retryable: false };
type Reader = Page & { readonly complaints: string[] };

describeInChromium('the life of a job by browsers only', () => {
  let [poster, worker, checker]: Reader[] = [];

  beforeAll(async () => {
    const contexts = await Promise.all([DESK, PHONE, DESK].map(look => browser.newContext(look)));
    [poster, worker, checker] = await Promise.all(contexts.map(async each => watched(await each.newPage())));
    for (const [at, name] of ['Polly', 'Walter', 'Cher'].entries())
      await joinInPage([poster!, worker!, checker!][at]!, world.url, name);
  }, START_MS);

  async function post(fields: { readonly [label: string]: string }) {
    await poster!.goto(`${world.url}/post-job`);
    await poster!.getByText('More options').click();
    await act(poster!, null, { ...JOB, ...fields }, 'Post the job');
  }

  /** The visible forms of a page by their buttons; `Block` appears once the page has asked for the blocks. */
  async function offered(page: Page) {
    await page.waitForFunction(() => document.getElementById('paying-state')?.textContent === '');
    return page
      .locator('.action:visible')
      .locator(':scope > details > summary, :scope > form > button')
      .allInnerTexts();
  }

  /** Checks a page with all its forms open. */
  async function expectTidy(page: Reader) {
    await page.evaluate(() => document.querySelectorAll('main details').forEach(each => each.setAttribute('open', '')));
    expect([await overflowOf(page), await findingsOf(page), page.complaints]).toEqual([0, [], []]);
    await page.reload();
  }

  test('a paid job goes from its post to the receipt on its record', async () => {
    await post({ 'Budget per seat': '10', 'Screening question': 'How do you say handbook?' });
    await press(poster!, 'Use a play-money wallet');
    await press(poster!, 'Pay 0.5 USDC');
    await notice(poster!, 'Your job is posted. Paid in transaction');
    const job = poster!.url();
    await Promise.all([worker!.goto(job), checker!.goto(job)]);
    expect(await offered(poster!)).toEqual(['Close the job']);
    expect(await poster!.locator('#terms').innerText()).toBe('10 USDC on Base');
    await worker!.getByRole('button', { name: 'Your next step: Apply' }).waitFor();
    expect(await orderOf(worker!)).toEqual(['next-step', 'description', 'terms', 'hires']);
    await worker!.getByText('Nobody holds this money').waitFor();
    await expectTidy(worker!);
    await worker!.locator('summary.main', { hasText: /^Apply$/ }).click();
    const payout = await fillWallet(worker!, 'Payout address');
    await act(worker!, null, { 'Why you': 'Oui.', 'Screening question': 'manuel', Ask: '10' }, 'Send the application');
    await notice(worker!, 'You have applied.');
    expect(await offered(worker!)).toEqual(['Edit your application', 'Withdraw it', 'Report']);
    expect(await worker!.getByText('manuel').count()).toBe(0);
    await poster!.reload();
    for (const text of ['manuel', 'Asks for 10 USDC; only you see it']) await poster!.getByText(text).waitFor();
    await expectTidy(poster!);
    await press(poster!, 'Hire');
    await notice(poster!, 'Hired.');
    await worker!.reload();
    await act(worker!, 'Deliver', { 'Or an https address': world.page('bonjour') }, 'Deliver it');
    await notice(worker!, 'Delivered.');
    await checker!.reload();
    await expectTidy(checker!);
    const verdict = { Verdict: 'broke', 'What you checked': 'Read both pages side by side.' };
    await act(checker!, 'Recheck this delivery', verdict, 'Publish the recheck');
    await notice(checker!, 'Your recheck is public.');
    expect(await checker!.locator('.timeline .badge.warn').innerText()).toBe('not as agreed');
    await worker!.reload();
    await act(worker!, 'Reply', { 'Your reply': 'You read the old page.' }, 'Publish the reply');
    await notice(worker!, 'Your reply is public.');
    await poster!.reload();
    await act(poster!, 'Dispute', { 'What is wrong': 'The recheck says that it is wrong.' }, 'Open a dispute');
    await notice(poster!, 'The dispute is public.');
    expect((await poster!.locator('.timeline > .warn').last().innerText()).replace(/\s+/g, ' ')).toMatch(
      /^Polly disputed/,
    );
    await worker!.reload();
    expect(await offered(worker!)).toEqual(['Reply', 'Deliver a new version', 'Report']);
    await press(poster!, 'Withdraw the dispute');
    await notice(poster!, 'The dispute is withdrawn.');
    await act(poster!, 'Accept', { 'Your review': 'true', Comment: 'Thank you.' }, 'Accept the delivery');
    await notice(poster!, 'Accepted.');
    expect(await poster!.locator('.badge', { hasText: /^accepted, not paid yet$/ }).count()).toBe(2);
    await press(poster!, 'Pay 10 USDC');
    await poster!.locator('#paying-yes').click();
    await notice(poster!, 'The worker has its wage. Paid in transaction');
    await poster!.locator('.action:visible summary', { hasText: 'Block' }).waitFor();
    expect(await offered(poster!)).toEqual(['Reply', 'Change the review', 'Dispute', 'Block']);
    // The faucet has given 1,000.
    expect(await world.token('usdc-base').balanceOf(payout)).toBe(1_010_000_000n);
    const lives = await poster!.locator('.timeline > li > .row > :first-child').allInnerTexts();
    expect(lives.map(text => text.replace(/\s+/g, ' ').split(' ').slice(0, 2).join(' '))).toEqual([
      'Walter applied',
      'Polly hired',
      'Walter delivered',
      'Cher rechecked',
      'Polly withdrew',
      'Polly accepted',
      'Polly paid',
    ]);
    await poster!.getByRole('link', { name: 'signed record' }).click();
    await poster!.getByText('paid on a development chain').first().waitFor();
    expect([poster!.complaints, worker!.complaints, checker!.complaints]).toEqual([[], [], []]);
  });

  test('a free job needs no wallet, and its negative review names its author', async () => {
    await post({});
    await notice(poster!, 'Your job is posted.');
    expect(await poster!.locator('#terms').innerText()).toBe('No pay');
    await worker!.goto(poster!.url());
    await act(worker!, 'Apply', { 'Why you': 'I speak French.' }, 'Send the application');
    await notice(worker!, 'You have applied.');
    await act(worker!, 'Edit your application', { 'Why you': 'I speak French well.' }, 'Save the application');
    await notice(worker!, 'Your application is changed.');
    await poster!.reload();
    await press(poster!, 'Hire');
    await notice(poster!, 'Hired.');
    await worker!.reload();
    await expectNoJump(worker!, 'Deliver');
    await act(worker!, null, {}, 'Deliver it');
    await worker!.getByText('Write the result, or give an https address or a post of yours.').waitFor();
    expect(await worker!.locator('.fault').count()).toBe(0);
    const result = 'Les rivières sont longues.';
    await act(worker!, null, { 'Write the result here': result, 'Or a post of yours': '1' }, 'Deliver it');
    await worker!.getByText('Fill in only one').waitFor();
    await worker!.getByLabel('Or a post of yours').fill('');
    await worker!.route('**/api/deliver', route => route.fulfill({ status: 400, json: REFUSED }));
    await press(worker!, 'Deliver it');
    await worker!.getByText(REFUSED.error).waitFor();
    expect(await worker!.getByLabel('Write the result here').inputValue()).toBe(result);
    await worker!.unroute('**/api/deliver');
    await press(worker!, 'Deliver it');
    await notice(worker!, 'Delivered.');
    expect(await world.counts('Posted')).toEqual([1]);
    const address = await worker!
      .locator('.timeline')
      .getByRole('link', { name: 'a post' })
      .evaluate(({ href }: HTMLAnchorElement) => href);
    await act(worker!, 'Deliver a new version', { 'Or a post of yours': address }, 'Deliver it');
    await notice(worker!, 'Delivered.');
    await poster!.reload();
    await poster!.locator('article .nested').getByText(result).waitFor();
    expect(await poster!.locator('h1 .badge').innerText()).toBe('closed');
    await expectNoJump(poster!, 'Accept');
    await poster!.reload();
    await press(poster!, 'Your next step: Accept');
    expect(await poster!.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('positive');
    await act(poster!, null, { 'Your review': 'false' }, 'Accept the delivery');
    await notice(poster!, 'Accepted.');
    expect(await poster!.locator('h1 .badge').innerText()).toBe('done');
    const entry = poster!.locator('.timeline > .warn');
    expect((await entry.innerText()).replace(/\s+/g, ' ')).toContain('Polly accepted negative review');
    await entry.getByRole('link', { name: 'proof' }).click();
    await poster!.waitForURL(/\/records\/\d+#events$/);
    expect([poster!.complaints, worker!.complaints]).toEqual([[], []]);
  });

  test('the keyboard alone applies, withdraws, hires, ends the hire and closes the job', async () => {
    await post({});
    await notice(poster!, 'Your job is posted.');
    await worker!.goto(poster!.url());
    await byKeyboard(worker!, 'Apply', 'I speak French.', 'You have applied. Your inbox says if you are hired.');
    await byKeyboard(worker!, 'Withdraw it', null, 'You have withdrawn your application.');
    await byKeyboard(worker!, 'Apply', 'I speak French.', 'You have applied. Your inbox says if you are hired.');
    await poster!.reload();
    await byKeyboard(poster!, 'Hire', null, 'Hired. Your inbox says when the work is delivered.');
    await byKeyboard(poster!, 'End the hire', 'The page is gone now.', 'The hire has ended.');
    await byKeyboard(poster!, 'Close the job', 'The page is gone now.', 'The job is closed.');
    await worker!.reload();
    expect(await offered(worker!)).toEqual(['Dispute', 'Report']);
  });

  test('the poster keeps a filled job closed', async () => {
    await post({});
    await notice(poster!, 'Your job is posted.');
    await worker!.goto(poster!.url());
    await act(worker!, 'Apply', { 'Why you': 'I speak French.' }, 'Send the application');
    await notice(worker!, 'You have applied.');
    await poster!.reload();
    await press(poster!, 'Hire');
    await notice(poster!, 'Hired.');
    await byKeyboard(poster!, 'Keep the job closed', 'One is enough.', 'The job stays closed if a hire ends.');
    await poster!.getByText('Closed by the poster').waitFor();
  });

  const isFocused = (page: Page, text: string) =>
    page.evaluate(wanted => document.activeElement?.textContent.trim() === wanted, text);

  async function tabTo(page: Page, text: string) {
    for (let tabs = 0; tabs < 60; tabs += 1) {
      await page.keyboard.press('Tab');
      if (await isFocused(page, text)) return;
    }
    throw new Error(`The keyboard does not reach "${text}".`);
  }

  /** Presses a button, or opens its form, types into the first field and sends it. */
  async function byKeyboard(page: Page, name: string, text: string | null, done: string) {
    await page.locator('.action:visible').getByText(name, { exact: true }).waitFor();
    await tabTo(page, name);
    await page.keyboard.press('Enter');
    if (text !== null) {
      await page.keyboard.press('Tab');
      await page.keyboard.type(text);
      const button = page.locator('details[open] button[type=submit]:visible');
      await tabTo(page, await button.innerText());
      await page.keyboard.press('Enter');
    }
    await notice(page, done);
    expect(await isFocused(page, done)).toBe(true);
  }

  test('a refused form marks all wrong fields under their labels and moves to the first', async () => {
    await post({ Title: '', Description: 'short', 'Acceptance criteria': 'two words', 'Budget per seat': '0' });
    await poster!.locator('.fault').first().waitFor();
    const faults = await poster!.locator('label:has(.fault) > span:first-child').allInnerTexts();
    expect(faults).toEqual(['Title *', 'Description *', 'Acceptance criteria *']);
    expect(await poster!.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('title');
    expect(await poster!.locator('#paying-state').innerText()).toBe('Correct the marked fields.');
    await expectTidy(poster!);
  });

  test('the fee follows the form', async () => {
    await poster!.getByLabel('Budget per seat').fill('10');
    await poster!.getByText('More options').click();
    await poster!.getByLabel('Seats').fill('3');
    expect(await poster!.locator('#job-fee').innerText()).toBe('10 USD x 3 seats: 1.50 USD fee');
    await poster!.getByLabel('Budget per seat').fill('0.000001');
    expect(await poster!.locator('#job-fee').innerText()).toBe('0.000001 USD x 3 seats: 0.000001 USD fee');
  });
});
