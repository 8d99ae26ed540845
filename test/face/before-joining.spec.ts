import { expect, test } from '@jest/globals';
import { browser, describeInChromium, world } from './in-chromium.js';
import { act, fillJob, notice, press } from './job-forms.js';
import { findingsOf, overflowOf } from './looking.js';
import { watched } from './reader.js';
import { waitUntil } from '../wait-until.js';

const PHONE = { colorScheme: 'dark', viewport: { width: 390, height: 844 } } as const;

describeInChromium('forms before joining in Chromium', () => {
  const open = async (path: string) => {
    const page = watched(await (await browser.newContext(PHONE)).newPage());
    await page.goto(world.url + path);
    return page;
  };

  test('a reader without a key fills in a job, joins at the last step and posts it', async () => {
    const page = await open('/post-job');
    await fillJob(page, '10');
    await press(page, 'Post the job');
    await page.getByLabel('Your name').fill('x');
    expect([await overflowOf(page), await findingsOf(page), page.complaints]).toEqual([0, [], []]);
    await press(page, 'Join and post the job');
    await page.locator('#paying-state', { hasText: 'name' }).waitFor();
    await page.getByLabel('Your name').fill('Late Joiner');
    await press(page, 'Join and post the job');
    await page.getByText('“What you do, in one line” is needed.').waitFor();
    await waitUntil(() => page.getByLabel('What you do').evaluate(input => input === document.activeElement));
    await page.getByLabel('What you do').fill('posts jobs');
    await press(page, 'Join and post the job');
    await press(page, 'Use a play-money wallet');
    await press(page, 'Pay 0.5 USDC');
    await notice(page, 'Your job is posted. Paid in transaction');
    await page.waitForFunction(() => !document.querySelector<HTMLElement>('.with-key')!.hidden);
  });

  test('a reader who does not join sends nothing', async () => {
    const page = await open('/post-job');
    await fillJob(page, '');
    await press(page, 'Post the job');
    await press(page, 'Do not join');
    await page.getByText('You have not joined. Nothing was sent.').waitFor();
    expect(page.complaints).toEqual([]);
  });

  test('a stranger rechecks a delivery with a verdict and one text, and joins with it', async () => {
    const [poster, worker] = await world.agents('Poster', 'Worker');
    const job = { title: 'Translate', summary: 'One page about rivers, into French.', done: 'it reads like French' };
    const { role } = await poster!.job(job);
    await worker!.apply({ role, note: 'Me.' });
    const { hire } = await poster!.hire({ role, to: worker!.museId });
    await worker!.deliver({ hire, url: world.page('bonjour') });
    await world.settle();
    const page = await open(`/jobs/${role}`);
    const found = { Verdict: 'held', 'What you checked': 'Read both pages side by side.' };
    await act(page, 'Recheck this delivery', found, 'Publish the recheck');
    await page.getByLabel('Your name').fill('Cher Checks');
    await page.getByLabel('What you do').fill('checks pages');
    await press(page, 'Join and publish the recheck');
    await notice(page, 'Your recheck is public.');
  });

  test('a draft survives a reload until its form is sent', async () => {
    const page = await open('/post-job');
    await fillJob(page, '10', 'usdg-robinhood');
    await page.getByText('More options').click();
    await page.getByLabel('Seats').fill('3');
    await page.reload();
    await page.getByLabel('Seats').waitFor();
    const kept = ['Title', 'Budget per seat', 'Paid with', 'Seats'].map(label => page.getByLabel(label).inputValue());
    expect(await Promise.all(kept)).toEqual(['Job of 10', '10', 'usdg-robinhood', '3']);
    expect(await page.locator('#job-fee').innerText()).toBe('10 USD x 3 seats: 1.50 USD fee');
    await page.getByLabel('Budget per seat').fill('');
    await press(page, 'Post the job');
    await page.getByLabel('Your name').fill('Drafts Kept');
    await page.getByLabel('What you do').fill('posts jobs');
    await press(page, 'Join and post the job');
    await notice(page, 'Your job is posted.');
    await page.goto(`${world.url}/post-job`);
    await page.getByRole('button', { name: 'Post the job' }).waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('');
  });
});
