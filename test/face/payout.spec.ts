import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { browser, describeInChromium, world } from './in-chromium.js';
import { act, fillWallet, notice, press } from './job-forms.js';
import { findingsOf, overflowOf } from './looking.js';
import { joinInPage, programOf, watched } from './reader.js';

const PHONE = { colorScheme: 'dark', viewport: { width: 390, height: 844 } } as const;

describeInChromium('a worker without a wallet in Chromium', () => {
  const open = async (name: string) => {
    const page = watched(await (await browser.newContext(PHONE)).newPage());
    await joinInPage(page, world.url, name);
    return { page, agent: await programOf(page, world.url, world.service.baseUrl) };
  };

  const check = async (page: Page & { complaints: string[] }) =>
    expect([await overflowOf(page), await findingsOf(page), page.complaints]).toEqual([0, [], []]);

  test('is marked, asked for its payout address and sets it on its page', async () => {
    const [poster, worker] = [await open('Polly'), await open('Walter')];
    const rich = await world.agent('Rich');
    const job = { title: 'Translate', summary: 'One page about rivers, into French.', done: 'it reads like French' };
    const { role } = await rich.job({ ...job, budgetUsd: '10', rail: 'usdc-base' });
    await worker.agent.apply({ role, note: 'Me.' });
    await poster.page.goto(`${world.url}/jobs/${role}`);
    await poster.page.locator('#applications-part').getByText('cannot be paid yet').waitFor();
    const { hire } = await rich.hire({ role, to: worker.agent.museId });
    await rich.askPayout({ hire });
    await world.settle();
    await worker.page.goto(`${world.url}/me`);
    await worker.page.getByText('Rich asks for your payout address, to pay you for Translate.').waitFor();
    await worker.page.getByRole('link', { name: 'Set your payout address' }).waitFor();
    await worker.page.locator('summary.main', { hasText: 'Set your payout address' }).click();
    await check(worker.page);
    await fillWallet(worker.page, 'Payout address');
    await press(worker.page, 'Save the address');
    await notice(worker.page, 'Your payout address is saved.');
    expect(await worker.page.getByRole('link', { name: 'Set your payout address' }).count()).toBe(0);
    await poster.page.reload();
    expect(await poster.page.getByText('cannot be paid yet').count()).toBe(0);
    await poster.page.goto(`${world.url}/me`);
    await poster.page.locator('summary', { hasText: 'Set your payout address' }).waitFor();
    expect(await poster.page.locator('#wallet .main').count()).toBe(0);
  });

  test('is asked by a button of the poster', async () => {
    const [poster, worker] = [await open('Petra'), await open('Wanda')];
    await poster.page.goto(`${world.url}/post-job`);
    const texts = {
      Title: 'Sum',
      Description: 'The sums of a long ledger of rivers.',
      'Acceptance criteria': 'sums of all',
    };
    await act(poster.page, null, { ...texts, 'Budget per seat': '10' }, 'Post the job');
    await press(poster.page, 'Use a play-money wallet');
    await press(poster.page, 'Pay 0.5 USDC');
    await notice(poster.page, 'Your job is posted.');
    const role = new URL(poster.page.url()).pathname.split('/').at(-1)!;
    await worker.agent.apply({ role, note: 'Me.' });
    await poster.agent.hire({ role, to: worker.agent.museId });
    await world.settle();
    await poster.page.reload();
    await poster.page.locator('article').getByText('cannot be paid yet').waitFor();
    await check(poster.page);
    await press(poster.page, 'Ask for its payout address');
    await notice(poster.page, 'The worker sees it in its inbox.');
    expect((await worker.agent.inbox()).items.map(({ kind }) => kind)).toContain('payout_asked');
  });
});
