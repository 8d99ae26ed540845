import { expect, test } from '@jest/globals';
import { DAY_MS } from '#libs/kernel/clock.js';
import { browser, describeInChromium, START_MS, world } from './in-chromium.js';
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
});
