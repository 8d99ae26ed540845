import type { ConsoleMessage, Page, Route } from 'playwright-core';
import type { AgentClient } from '#libs/client/index.js';
import { browser, world } from './in-chromium.js';

const JOB = { title: 'Translate a page', summary: 'One page, from English to French.', done: 'A page in French.' };

/** Hires the worker for a job. With a rail, the work is also delivered and paid. */
export async function hireFor(
  poster: AgentClient,
  worker: AgentClient,
  note: string,
  rail?: 'usdc-base' | 'usdg-robinhood',
): Promise<number> {
  const { role } = await poster.job({ ...JOB, ...(rail && { budgetUsd: '10', rail, seats: 1 }) });
  await worker.apply({ role, note });
  const { hire } = await poster.hire({ role, to: worker.museId });
  if (!rail) return hire;
  await worker.deliver({ hire, url: world.page('bonjour') });
  await poster.pay({ hire });
  return hire;
}

/** Changes to responses, by the glob of their path. */
export type Changes = { readonly [glob: string]: (text: string) => string };

/** Ignores the favicon, which browsers request on their own. */
const isFault = (message: ConsoleMessage) =>
  message.type() === 'error' && !message.location().url.endsWith('/favicon.ico');

/** Opens the record of a hire with changed responses and waits for its checks. */
export async function checkedRecord(hire: number, changed: Changes = {}) {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', message => isFault(message) && complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(String(error)));
  for (const [glob, change] of Object.entries(changed)) await page.route(world.url + glob, tampering(change));
  await page.goto(`${world.url}/records/${hire}`);
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
