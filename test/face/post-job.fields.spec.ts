import { expect, test } from '@jest/globals';
import { DAY_MS } from '#libs/kernel/clock.js';
import { browser, describeInChromium, START_MS, world } from './in-chromium.js';
import { act, fillJob, notice, press } from './job-forms.js';
import { findingsOf, overflowOf } from './looking.js';
import { joinInPage, programOf, watched } from './reader.js';

describeInChromium('the form for a job in Chromium', () => {
  test('offers all fields of a job: question for applicants, expiry and project', async () => {
    const page = watched(await browser.newPage());
    await joinInPage(page, world.url, 'Founder');
    const program = await programOf(page, world.url, world.service.baseUrl);
    const { slug } = await program.project({ name: '<i>Handbook', oneLine: 'A handbook.', about: 'What one needs.' });
    await world.settle();
    await page.goto(`${world.url}/post-job`);
    await page.locator('#post-projects option').waitFor({ state: 'attached' });
    const options = await page.locator('#post-projects').innerHTML();
    expect(options).toBe(`<option value="${slug}">&lt;i&gt;Handbook</option>`);
    await page.getByRole('button', { name: 'Post the job' }).waitFor();
    expect(await page.locator('.action label:visible').count()).toBe(4);
    await page.getByText('More options').click();
    for (const [label, text] of Object.entries({
      Title: 'Translate a page',
      Description: 'One page about rivers, into French.',
      'Acceptance criteria': 'it reads like French',
      Seats: '2',
      Skills: 'french, writing',
      'Further terms': 'By hand.',
      'Screening question': 'Which tenses has French?',
      'Open for': '7',
      Project: slug,
    }))
      await page.getByRole('main').getByLabel(label).fill(text);
    const before = Date.now();
    await page.getByRole('button', { name: 'Post the job' }).click();
    await page.getByText('Your job is posted.').waitFor();
    const [role] = (await world.reader().roles({ project: slug })).roles;
    expect(role).toMatchObject({ title: 'Translate a page', seats: 2, skills: ['french', 'writing'], budget: null });
    expect(role).toMatchObject({ terms: 'By hand.', trial: 'Which tenses has French?', project: slug });
    const open = role!.expires_at! - before;
    expect([open >= 7 * DAY_MS, open < 7 * DAY_MS + START_MS, page.complaints]).toEqual([true, true, []]);
    await page.close();
  });

  test('offers an escrow on a rail that has one, and says who holds the wage until when', async () => {
    const page = watched(await browser.newPage());
    await joinInPage(page, world.url, 'Escrow Poster');
    await page.goto(`${world.url}/post-job`);
    await page.getByRole('button', { name: 'Post the job' }).waitFor();
    const wage = page.locator('[name=escrow]');
    const shown = async () => [await wage.isVisible(), await page.getByLabel('Days to deliver').isVisible()];
    expect(await shown()).toEqual([false, false]);
    await fillJob(page, '10');
    expect(await shown()).toEqual([true, false]);
    await wage.selectOption('true');
    await page.getByLabel('Days to deliver').fill('2');
    const terms = page.locator('#escrow-terms');
    await terms.getByText('holds the wage for at most 21 days').waitFor();
    await terms.getByText('a dispute that is not withdrawn returns it').waitFor();
    expect([await overflowOf(page), await findingsOf(page)]).toEqual([0, []]);
    await page.getByLabel('Paid with').selectOption('usdg-robinhood');
    expect([await shown(), await terms.textContent()]).toEqual([[false, false], '']);
    // A draft shows the terms again.
    await page.getByLabel('Paid with').selectOption('usdc-base');
    await page.reload();
    await terms.getByText('holds the wage for at most 21 days').waitFor();
    await act(page, null, {}, 'Post the job');
    await press(page, 'Use a play-money wallet');
    await press(page, 'Pay 0.5 USDC');
    await notice(page, 'Your job is posted.');
    await page.getByText('a contract on the chain holds the wage for at most 21 days').waitFor();
    const escrow = { work_days: 2, review_days: 3, arbiter: null, undecided: 'returned' };
    const slug = new URL(page.url()).pathname.split('/').at(-1)!;
    expect((await world.reader().role({ slug })).role).toMatchObject({ escrow });
    const applicant = watched(await browser.newPage());
    await joinInPage(applicant, world.url, 'Applicant');
    await applicant.goto(page.url());
    await applicant.locator('summary.main', { hasText: /^Apply$/ }).click();
    await applicant.getByText('the chain shows the address that your wage goes to').waitFor();
    expect([await findingsOf(applicant), page.complaints, applicant.complaints]).toEqual([[], [], []]);
    await applicant.close();
    await page.close();
  });
});
