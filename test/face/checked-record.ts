import type { Browser, ConsoleMessage, Page, Route } from 'playwright-core';

/** What somebody on the way makes of an answer, by the glob of its path. */
export type Changes = { readonly [glob: string]: (text: string) => string };

/** A browser asks for a picture of the site by itself. */
const isFault = (message: ConsoleMessage) =>
  message.type() === 'error' && !message.location().url.endsWith('/favicon.ico');

/** Opens the record of a hire and waits for its checks; `changed` answers an address otherwise. */
export async function checkedRecord(browser: Browser, url: string, hire: number, changed: Changes = {}) {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', message => isFault(message) && complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(String(error)));
  for (const [glob, change] of Object.entries(changed)) await page.route(url + glob, tampering(change));
  await page.goto(`${url}/records/${hire}`);
  await page.waitForFunction(
    () => !['checking', undefined].includes(document.getElementById('outcome')!.dataset['state']),
  );
  const states = await statesOf(page);
  const outcome = await page.locator('#outcome').textContent();
  const because = await page.locator('.because').allTextContents();
  const text = await page.locator('main').innerText();
  await page.close();
  return { states, outcome, because: because.filter(text => text !== ''), complaints, text };
}

const tampering = (change: (text: string) => string) => async (route: Route) => {
  const response = await route.fetch();
  const text = await response.text();
  const body = change(text);
  if (body === text) throw new Error(`Nothing of ${route.request().url()} was changed.`);
  await route.fulfill({ response, body });
};

const statesOf = async (page: Page) =>
  Object.fromEntries(
    await page
      .locator('#checks > li')
      .evaluateAll(all => all.map(line => [line.id.replace('check-', ''), line.dataset['state']])),
  ) as { readonly [check: string]: string };

/** The checks that do not hold. */
export const brokenIn = (states: { readonly [check: string]: string }) =>
  Object.keys(states).filter(name => states[name] === 'broken');
