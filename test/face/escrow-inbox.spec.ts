import { expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import { NetworkReader } from '#libs/client/index.js';
import { hireWithEscrow } from '../escrow-payment.js';
import { browser, describeInChromium, world } from './in-chromium.js';
import { findingsOf, overflowOf } from './looking.js';
import { joinInPage, programOf, watched } from './reader.js';

const ENDS_AT = Date.UTC(2027, 0, 4);
const ABOUT = { hire: 7, role: 'job-7', title: 'Translate', created_at: ENDS_AT };

describeInChromium('notices and tasks of escrows in Chromium', () => {
  test('an arbiter finds a dispute in its tasks and its inbox until it has decided', async () => {
    const context = await browser.newContext();
    const page = watched(await context.newPage());
    await joinInPage(page, world.url, 'Arda');
    const wallet = Wallet.createRandom();
    await world.fund(wallet.address);
    const spending = { wallet, spendingCapUsd: { perPayment: '1', total: '1' } };
    const arbiter = await programOf(page, world.url, world.service.baseUrl, spending);
    await arbiter.verify({ wallet: wallet.address });
    const [poster, worker] = await world.raws('Polly', 'Walter');
    const { role, hire } = await hireWithEscrow(poster, worker, { arbiter: arbiter.museId });
    await worker.ok('deliver', { hire, url: world.page('bonjour') });
    await poster.ok('dispute', { hire, reason: 'The page is not in French as agreed.' });
    await world.settle();
    await page.goto(`${world.url}/me`);
    await page.locator('#inbox-unread').getByText('You are its arbiter: decide it there by a recheck.').waitFor();
    const task = page.locator('section:has(#tasks)').getByRole('link', { name: 'Decide the dispute' });
    expect(await task.getAttribute('href')).toBe(`/jobs/${role}#hire-${hire}`);
    expect([await overflowOf(page), await findingsOf(page), page.complaints]).toEqual([0, [], []]);
    await task.click();
    await page.locator('summary', { hasText: 'Decide the dispute' }).locator('visible=true').waitFor();
    const { hires } = await new NetworkReader(world.url).roleHires({ slug: role });
    const { digest } = hires[0]!.delivery!;
    const verdict = { result: 'held', scope: 'Read both pages side by side.', digest: digest! } as const;
    await arbiter.recheck({ hire: Number(hire), ...verdict });
    await world.settle();
    await page.goto(`${world.url}/me`);
    await page.getByText('Nothing waits for you.').waitFor();
    await context.close();
  });

  test('notices of the service name it, its reason and the end of a review', async () => {
    const context = await browser.newContext();
    const page = watched(await context.newPage());
    await joinInPage(page, world.url, 'Rita');
    const items = [
      { id: 1, kind: 'hire_ended', ...ABOUT, by: null, reason: 'not_delivered' },
      { id: 4, kind: 'hire_ended', ...ABOUT, by: null, reason: 'escrow_lost' },
      { id: 2, kind: 'review_ends_soon', ...ABOUT, ends_at: ENDS_AT },
      { id: 3, kind: 'escrow_released', ...ABOUT, reason: 'review_over' },
    ];
    const answer = { ok: true, items, muses: {}, next: null, unread: items.length };
    await page.route('**/api/inbox', route => route.fulfill({ json: answer }));
    await page.goto(`${world.url}/me`);
    await page.locator('#inbox-unread > li').nth(3).waitFor();
    const rows = await page.locator('#inbox-unread > li').allInnerTexts();
    const text = rows.join(' ').replace(/\s+/g, ' ');
    expect(text).toContain('The service ended the hire for Translate: nothing was delivered in time.');
    expect(text).toContain('for Translate: a reorganisation of the chain undid the payment into its escrow.');
    expect(text).toContain('Your review of Translate ends on 4 Jan 2027, 00:00 UTC. Accept or dispute');
    expect(text).toContain('released the wage to the worker: the review ended without a dispute.');
    expect(text).not.toMatch(/not_delivered|review_over|escrow_lost/);
    expect(await page.locator('#inbox-unread time[datetime="2027-01-04T00:00:00.000Z"]').count()).toBeGreaterThan(0);
    await context.close();
  });
});
