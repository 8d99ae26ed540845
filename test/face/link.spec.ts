import { beforeAll, expect, test } from '@jest/globals';
import type { BrowserContext } from 'playwright-core';
import { encodeBase64url } from '#libs/platform/signing/base64url.js';
import { type RawAgent, textOf } from '../raw-agent.js';
import { browser, describeInChromium, START_MS, world } from './in-chromium.js';
import { brokenIn, checkedRecord } from './checked-record.js';
import { act, notice, press } from './job-forms.js';
import { joinInPage, programOf, watched } from './reader.js';

const REASON = 'One page of it is missing.';

describeInChromium('pages for the newer identity in Chromium', () => {
  let context: BrowserContext;
  let earlier: RawAgent;
  let worker: RawAgent;
  let museId: string;
  /** Jobs in which the earlier identity works, of which it is the poster, and in which the reader worked for it. */
  let [worked, posted, shared]: string[] = [];
  let project: string;
  /** The hire between both identities. */
  let own: string;

  beforeAll(async () => {
    context = await browser.newContext();
    const page = await context.newPage();
    museId = await joinInPage(page, world.url, 'Reader now');
    const self = await programOf(page, world.url, world.service.baseUrl);
    await page.close();
    const [poster, checker, ...others] = await world.raws('Poster', 'Checker', 'Reader before', 'Worker');
    [earlier, worker] = others;
    await worker.ok('profile', { skills: 'french' });
    const delivery = { url: world.page('done') };
    const first = await poster.hire(earlier, { title: 'First', budget_usd: '2' });
    await earlier.ok('deliver', { hire: first.hire, ...delivery });
    await checker.ok('recheck', { hire: first.hire, result: 'held', scope: 'Read all of it.' });
    posted = await earlier.postJob({ title: 'Second', trial: 'How do you say handbook?', budget_usd: '2' });
    await worker.ok('apply', { role: posted, note: 'Me.', trial_answer: 'manuel' });
    const second = textOf(await earlier.ok('hire', { role: posted, to: worker.museId }), 'hire');
    await worker.ok('deliver', { hire: second, ...delivery });
    // Without the dispute the wage would be owed, which refuses a link.
    await earlier.ok('dispute', { hire: second, reason: REASON });
    shared = await earlier.postJob({ title: 'Third' });
    await self.apply({ role: shared, note: 'Me.' });
    own = textOf(await earlier.ok('hire', { role: shared, to: museId }), 'hire');
    await self.deliver({ hire: Number(own), url: world.page('done') });
    project = textOf(
      await earlier.ok('project', { name: 'Rivers', one_line: 'Texts.', about: 'All of them.' }),
      'slug',
    );
    const proof = earlier.proof(`service-link-v1\n${museId}\n${earlier.museId}`);
    await self.link({ to: earlier.museId, proof });
    worked = first.role;
    await world.settle();
  }, START_MS);

  async function open(path: string) {
    const page = watched(await context.newPage());
    await page.goto(world.url + path);
    const forms = async () => {
      await page.waitForFunction(() => document.getElementById('paying-state')?.textContent === '');
      const hires = page.locator('article .action:visible');
      return hires.locator(':scope > details > summary, :scope > form > button').allInnerTexts();
    };
    return { page, forms };
  }

  test('the newer identity works on with a delivered hire of the earlier one', async () => {
    const { page, forms } = await open(`/jobs/${worked}`);
    expect((await forms()).sort()).toEqual(['Deliver a new version', 'Dispute', 'Reply']);
    await act(page, 'Reply', { 'Your reply': 'Thank you.' }, 'Publish the reply');
    await notice(page, 'Your reply is public.');
    await act(page, 'Dispute', { 'What is wrong': REASON }, 'Open a dispute');
    await notice(page, 'The dispute is public.');
    expect(await forms()).toEqual(expect.arrayContaining(['Change the dispute', 'Withdraw the dispute']));
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  test('the newer identity reads answers and accepts a delivery for the earlier poster', async () => {
    const { page, forms } = await open(`/jobs/${posted}`);
    expect((await forms()).sort()).toEqual(['Accept', 'Change the dispute', 'Pay 2 USDC', 'Withdraw the dispute']);
    await page.getByText('manuel').waitFor();
    await press(page, 'Withdraw the dispute');
    await notice(page, 'The dispute is withdrawn.');
    await act(page, 'Accept', {}, 'Accept the delivery');
    await notice(page, 'Accepted.');
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  test('no page offers dealings between two identities of one agent', async () => {
    const { page, forms } = await open(`/jobs/${shared}`);
    expect(await forms()).toEqual([]);
    await page.close();
    const { text, states } = await checkedRecord(Number(own));
    expect([text.includes('two identities of one agent'), brokenIn(states)]).toEqual([true, []]);
  });

  test('the page of an earlier identity offers nothing and raises no error', async () => {
    const { page } = await open(`/people/${earlier.museId}`);
    await page.locator('.with-key').first().waitFor();
    expect([await page.locator('main .action').count(), page.complaints]).toEqual([0, []]);
    await page.close();
  });

  test('the page of the own work has the jobs and tasks of the earlier identity', async () => {
    const { page } = await open('/me');
    const tasks = page.locator('section', { has: page.locator('#tasks') });
    await tasks.getByText('Pay 2 USDC').waitFor();
    expect(await tasks.innerText()).not.toContain('Third');
    for (const title of ['Second', 'Third'])
      expect(await page.locator('section', { has: page.locator('#earlier-jobs') }).innerText()).toContain(title);
    expect(page.complaints).toEqual([]);
    await page.close();
  });

  test('the form for a job offers the projects of the earlier identity', async () => {
    const { page } = await open('/post-job');
    await page.locator(`#post-projects option[value="${project}"]`).waitFor({ state: 'attached' });
    await page.close();
  });

  test('the key of an earlier identity gets no form, and a sentence with the newer one', async () => {
    const old = await browser.newContext();
    const page = watched(await old.newPage());
    await page.goto(`${world.url}/join`);
    await page.locator('summary:visible', { hasText: 'I have a key' }).click();
    await page.getByLabel('Or its content').fill(encodeBase64url(earlier.seed));
    await press(page, 'Use this key');
    await page.getByText('This browser holds your key now.').waitFor();
    for (const path of ['/feed', '/post-job', `/people/${worker.museId}`, `/jobs/${posted}`, '/me']) {
      await page.goto(world.url + path);
      await page.locator('#paying-state', { hasText: 'is of an earlier identity' }).waitFor();
      expect([path, await page.locator('.action:visible').count()]).toEqual([path, 0]);
    }
    expect(await page.locator('#paying-state a').getAttribute('href')).toBe(`/people/${museId}`);
    expect(page.complaints).toEqual([]);
    await old.close();
  });

  test('the newer identity endorses for a hire of the earlier one', async () => {
    const { page } = await open(`/people/${worker.museId}`);
    await act(page, 'Endorse', {}, 'Endorse');
    await notice(page, 'Your endorsement');
    const { endorsements } = await world.reader().muse({ id: worker.museId });
    expect(endorsements).toMatchObject([{ skill: 'french', cited: 1 }]);
    await page.close();
  });
});
