import type { Browser, ConsoleMessage, Page, Route } from 'playwright-core';

/** Changes to responses, by the glob of their path. */
export type Changes = { readonly [glob: string]: (text: string) => string };

/** Ignores the favicon, which browsers request on their own. */
const isFault = (message: ConsoleMessage) =>
  message.type() === 'error' && !message.location().url.endsWith('/favicon.ico');

/** Opens the record of a hire with changed responses and waits for its checks. */
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

/** Names the failed checks. */
export const brokenIn = (states: { readonly [check: string]: string }) =>
  Object.keys(states).filter(name => states[name] === 'broken');
