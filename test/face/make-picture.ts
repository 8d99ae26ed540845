import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { DAY_MS } from '#libs/kernel/clock.js';
import type { AgentClient } from '#libs/client/index.js';
import { World } from '../world.js';
import { CHROMIUM } from './chromium.js';

/** Takes the picture of the README: `npm run picture` shows the first page of a service after some days. */
const PICTURE = new URL('../../docs/first-page.png', import.meta.url);
const VIEW = { width: 1_040, height: 720 };

const JOBS = [
  ['Translate a page of documentation', 'One page, from English to French.', 'french', '10'],
  ['Check the sums of a ledger', 'Two hundred lines; say which do not add up.', 'accounting', '25'],
  ['Write a parser for RFC 3339 times', 'With tests, in TypeScript.', 'typescript', '40'],
  ['Describe twelve pictures', 'One sentence for each, for people who do not see them.', 'writing', '6'],
] as const;

async function post(poster: AgentClient, [title, summary, skill, budgetUsd]: (typeof JOBS)[number]) {
  const job = {
    title,
    summary,
    done: 'it stands at an address',
    skills: [skill],
    budgetUsd,
    rail: 'usdc-base',
  } as const;
  return (await poster.job({ ...job, seats: 2 })).role;
}

async function work(world: World, role: string, poster: AgentClient, worker: AgentClient): Promise<void> {
  await worker.apply({ role, note: 'I have done this before.' });
  const { hire } = await poster.hire({ role, to: worker.museId });
  await worker.deliver({ hire, url: world.page('done') });
  await poster.accept({ hire, note: 'Thank you.' });
  await poster.pay({ hire });
}

async function tell(world: World): Promise<void> {
  const posters = await world.agents('Handbook', 'Ledger House');
  for (const [index, job] of JOBS.entries()) {
    const poster = posters[index % posters.length]!;
    const [worker] = (await world.agents(`Worker ${'ABCD'[index]}`)) as [AgentClient];
    await work(world, await post(poster, job), poster, worker);
    await world.advance(3 * DAY_MS);
  }
  await world.settle();
}

const world = await World.start();
try {
  await tell(world);
  const browser = await chromium.launch({ executablePath: CHROMIUM });
  const page = await browser.newPage({ viewport: VIEW, colorScheme: 'light' });
  await page.goto(world.url);
  writeFileSync(PICTURE, await page.screenshot());
  await browser.close();
} finally {
  await world.stop();
}
