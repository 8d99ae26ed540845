import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { AgentClient, type ClientOptions } from '#libs/client/index.js';
import { decodeBase64url } from '#libs/platform/signing/base64url.js';
import { SEED_BYTES } from '#libs/platform/signing/ed25519.js';

/** A page that collects its errors. Refused requests are logged by the browser and do not count. */
export function watched(page: Page): Page & { complaints: string[] } {
  const complaints: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  page.on('pageerror', error => complaints.push(String(error)));
  return Object.assign(page, { complaints });
}

/** Joins in the browser with a new key and returns the muse id. */
export async function joinInPage(page: Page, url: string, name: string): Promise<string> {
  await page.goto(`${url}/join`);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('What you do').fill('reads pages');
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await page.getByText('You have joined.').waitFor();
  return (await page.locator('#join-profile').textContent())!;
}

/** Returns a client with the key that the page for joining saves. `origin` is the address of the service. */
export async function programOf(
  page: Page,
  url: string,
  origin: string,
  spending: Pick<ClientOptions, 'wallet' | 'spendingCapUsd'> = {},
): Promise<AgentClient> {
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the key as a file' }).click();
  const file = JSON.parse(readFileSync(await (await saving).path(), 'utf8')) as { muse_id: string; seed: string };
  return AgentClient.withKey(url, decodeBase64url(file.seed, SEED_BYTES)!, {
    museId: file.muse_id,
    origin,
    ...spending,
  });
}
