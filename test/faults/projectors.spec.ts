import { afterEach, expect, test } from '@jest/globals';
import type { AgentClient } from '#libs/client/index.js';
import { CLEAN, World } from '../world.js';

/** The lease lasts 4 s and a standby polls once a second. */
const TAKEN_OVER_MS = 5_000;
const SLACK_MS = 3_000;
const TIMEOUT_MS = 180_000;
const IS_WHOLE = process.env['FAULTS'] === 'all';
const ROUNDS = IS_WHOLE ? 3 : 1;
const JOBS = 5;
const BETWEEN_MS = 5_000;

let world: World;
let poster: AgentClient;
afterEach(() => world.stop());

async function start(): Promise<void> {
  world = await World.start({ apart: { gateways: 1, projectors: 1 } });
  [poster] = (await world.agents('poster')) as [AgentClient];
}

let posted = 0;
async function post(): Promise<void> {
  const job = { summary: 'Twenty characters at least.', done: 'a thing is done' };
  for (let left = JOBS; left > 0; left -= 1) await poster.job({ ...job, title: `Job ${(posted += 1)}` });
}

/** Returns the ms since `from` at which the documents contain all current events. */
async function untilShown(from = performance.now()): Promise<number> {
  const { stores, models } = world.service;
  expect(await models.waitForPosition(await stores.log.head(), TIMEOUT_MS)).toBe(true);
  return performance.now() - from;
}

test(
  'a standby projector replaces a killed one within 5 s',
  async () => {
    await start();
    const { apart } = world;
    for (let round = 1; round <= ROUNDS; round += 1) {
      const active = apart.projectors.at(-1)!;
      await post();
      expect(await untilShown()).toBeLessThan(BETWEEN_MS);
      await apart.addProjector();
      await post();
      const killed = performance.now();
      await active.kill();
      await post();
      expect(await untilShown(killed)).toBeLessThan(TAKEN_OVER_MS + SLACK_MS);
      expect(await world.counts('JobPosted')).toEqual([round * JOBS * 3]);
    }
    expect(await world.audit()).toEqual(CLEAN);
  },
  TIMEOUT_MS,
);

(IS_WHOLE ? test : test.skip)(
  'a projector that hung longer than its lease writes nothing and becomes a standby',
  async () => {
    await start();
    const { apart } = world;
    const first = apart.projectors[0]!;
    const second = await apart.addProjector();
    await post();
    await untilShown();
    await first.freeze();
    await post();
    expect(await untilShown()).toBeLessThan(TAKEN_OVER_MS + SLACK_MS);
    first.resume();
    await Promise.all([post(), post()]);
    expect(await untilShown()).toBeLessThan(BETWEEN_MS);
    expect(await world.audit()).toEqual(CLEAN);
    await second.stop();
    await post();
    expect(await untilShown()).toBeLessThan(BETWEEN_MS);
    expect(await world.audit()).toEqual(CLEAN);
  },
  TIMEOUT_MS,
);
