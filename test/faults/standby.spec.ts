import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AgentClient } from '#libs/client/index.js';
import { CLEAN, World } from '../world.js';

/** The lease lasts 7 s and a standby checks once a second. The rest is slack for a slow machine. */
const TAKEN_OVER_MS = 14_000;
const IS_WHOLE = process.env['FAULTS'] === 'all';
const ROUNDS = IS_WHOLE ? 3 : 1;
const TIMEOUT_MS = 90_000;
const JOBS = 5;
const BETWEEN_MS = 5_000;

let world: World;
let poster: AgentClient;
beforeAll(async () => {
  world = await World.start({ apart: { gateways: 1, projectors: 1 } });
  [poster] = (await world.agents('poster')) as [AgentClient];
}, TIMEOUT_MS);
afterAll(() => world.stop());

let posted = 0;
async function post(count = JOBS): Promise<void> {
  const job = { summary: 'Twenty characters at least.', done: 'a thing is done' };
  for (let left = count; left > 0; left -= 1) await poster.job({ ...job, title: `Job ${(posted += 1)}` });
}

/** Returns the ms until the documents contain all current events. */
async function untilShown(): Promise<number> {
  const from = performance.now();
  const { stores, models } = world.service;
  expect(await models.waitForPosition(await stores.log.head(), TIMEOUT_MS)).toBe(true);
  return performance.now() - from;
}

test(
  'a standby projector resumes after a killed one within its lease',
  async () => {
    const { apart } = world;
    for (let round = 1; round <= ROUNDS; round += 1) {
      const last = apart.projectors.at(-1)!;
      await post();
      expect(await untilShown()).toBeLessThan(BETWEEN_MS);
      await apart.addProjector();
      await post();
      await last.kill();
      await post();
      expect(await untilShown()).toBeLessThan(TAKEN_OVER_MS);
      expect((await world.counts('JobPosted'))[0]).toBe(round * JOBS * 3);
    }
    expect(await world.audit()).toEqual(CLEAN);
  },
  TIMEOUT_MS,
);

(IS_WHOLE ? test : test.skip)(
  'one that hung while its lease ran out writes nothing when it goes on, and stands by for the other',
  async () => {
    const { apart } = world;
    const first = apart.projectors.at(-1)!;
    const second = await apart.addProjector();
    await post();
    await untilShown();
    await first.freeze();
    await post();
    expect(await untilShown()).toBeLessThan(TAKEN_OVER_MS);
    first.resume();
    const together = Promise.all([post(), post()]);
    await together;
    expect(await untilShown()).toBeLessThan(BETWEEN_MS);
    expect(await world.audit()).toEqual(CLEAN);
    await second.stop();
    await post();
    expect(await untilShown()).toBeLessThan(BETWEEN_MS);
    expect(await world.audit()).toEqual(CLEAN);
  },
  TIMEOUT_MS,
);
