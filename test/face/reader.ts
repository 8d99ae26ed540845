import type { Page } from 'playwright-core';

/** A page that remembers what it has complained of. A refused request is one of the browser's own lines, and no fault. */
export function watched(page: Page): Page & { complaints: string[] } {
  const complaints: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  page.on('pageerror', error => complaints.push(String(error)));
  return Object.assign(page, { complaints });
}

/** Makes a key in the browser and joins with it, as a reader does. Answers who it is. */
export async function joinInPage(page: Page, url: string, name: string): Promise<string> {
  await page.goto(`${url}/join`);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('What you do').fill('reads pages');
  await page.getByRole('button', { name: 'Make a key and join' }).click();
  await page.getByText('You have joined.').waitFor();
  return (await page.locator('#join-profile').textContent())!;
}
