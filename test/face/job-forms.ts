import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { waitUntil } from '../wait-until.js';

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
export const notice = (page: Page, text: string) => page.locator('#notice').getByText(text).waitFor();

/** Opens a form, fills it and sends it. */
export async function act(
  page: Page,
  summary: string | null,
  fields: { readonly [label: string]: string },
  button: string,
) {
  if (summary !== null) await page.locator('summary:visible', { hasText: new RegExp(`^${summary}$`) }).click();
  for (const [label, text] of Object.entries(fields)) {
    const input = page.locator('.action').getByLabel(label).locator('visible=true');
    await ((await input.evaluate(each => each.tagName)) === 'SELECT' ? input.selectOption(text) : input.fill(text));
  }
  await press(page, button);
}

/** Fills an open address field in from a wallet of the browser. Returns the address. */
export async function fillWallet(page: Page, label: string, button = 'Use a play-money wallet'): Promise<string> {
  const field = page.getByLabel(label).locator('visible=true');
  await page.locator('button:visible', { hasText: button }).click();
  await waitUntil(async () => (await field.inputValue()) !== '');
  return field.inputValue();
}

/** Fills in the form for a job, which is free with an empty budget. */
export async function fillJob(page: Page, budgetUsd: string, rail = 'usdc-base') {
  await page.getByRole('button', { name: 'Post the job' }).waitFor();
  await page.getByLabel('Title').fill(`Job of ${budgetUsd || 'nothing'}`);
  await page.getByLabel('Description').fill('One page about rivers, into French.');
  await page.getByLabel('Acceptance criteria').fill('it reads like French');
  await page.getByLabel('Budget per seat').fill(budgetUsd);
  if (budgetUsd !== '') await page.getByLabel('Paid with').selectOption(rail);
}

/** Opens a form and checks that its button, the blue main step, stays and that the form is under all buttons. */
export async function expectNoJump(page: Page, name: string) {
  const summaries = page.locator('article .buttons summary:visible');
  const boxes = () => summaries.evaluateAll(all => all.map(each => each.getBoundingClientRect().toJSON() as DOMRect));
  const main = page.locator('summary.main:visible', { hasText: name });
  await main.scrollIntoViewIfNeeded();
  const before = await boxes();
  await main.click();
  const after = await boxes();
  expect(after).toEqual(before);
  const form = (await page.locator('article .buttons form:visible').first().boundingBox())!;
  expect(form.y).toBeGreaterThanOrEqual(Math.max(...after.map(each => each.bottom)));
}

/** Ids of parts of a page from top to bottom. */
export const orderOf = (page: Page) =>
  page
    .locator('#next-step, #description, #terms, #hires')
    .evaluateAll(all =>
      all.sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top).map(({ id }) => id),
    );
