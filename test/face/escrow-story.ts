import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { world } from './in-chromium.js';
import { act, fillJob, notice, press } from './job-forms.js';
import { findingsOf, overflowOf } from './looking.js';

export const RESULT = 'Les rivières sont longues.';

export const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1_280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;

/** Checks a page as it is, in two widths and two colour schemes. */
export async function expectTidyInAllLooks(page: Page): Promise<void> {
  const before = page.viewportSize()!;
  for (const { colorScheme, viewport } of LOOKS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    expect([await overflowOf(page), await findingsOf(page)]).toEqual([0, []]);
  }
  await page.setViewportSize(before);
}

/** Posts a job whose wage an escrow holds, in the form. `pay` confirms the fee. Returns the address of the job. */
export async function postEscrowedJob(page: Page, pay: () => Promise<void>): Promise<string> {
  await page.goto(`${world.url}/post-job`);
  await fillJob(page, '10');
  await page.locator('[name=escrow]').selectOption('true');
  await page.getByLabel('Days to deliver').fill('5');
  await page.locator('#escrow-terms', { hasText: 'for at most 24 days' }).waitFor();
  await expectTidyInAllLooks(page);
  await press(page, 'Post the job');
  await pay();
  await notice(page, 'Your job is posted. Paid in transaction');
  return page.url();
}

/** Hires the only applicant, pays the wage into the escrow and checks that the page said so before. */
export async function hireWithEscrow(page: Page, payee: string): Promise<void> {
  await page.reload();
  await press(page, 'Hire and pay into the escrow');
  await page.locator('#paying-offer', { hasText: payee }).waitFor();
  await page.locator('#paying-offer', { hasText: 'the money moves into an escrow contract' }).waitFor();
  await expectTidyInAllLooks(page);
  await press(page, 'Pay 10 USDC');
  await notice(page, 'Hired. The escrow holds the wage.');
}

export async function deliver(page: Page, job: string): Promise<void> {
  await page.goto(job);
  await act(page, 'Deliver', { 'Write the result here': RESULT }, 'Deliver it');
  await notice(page, 'Delivered.');
}

/** The sentence on the card of the only hire that says where its wage is. */
export const escrowText = (page: Page) => page.locator('article > .quiet').first().innerText();
