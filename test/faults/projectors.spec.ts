import { afterEach, expect, test } from '@jest/globals';
import type { AgentClient } from '#libs/client/index.js';
import type { Position } from '#libs/kernel/event.js';
import { CLEAN, World } from '../world.js';

/** Time that three projectors need to balance their shares. */
const SHARED_MS = 5_000;
/** Takeover time of a killed projector. */
const MOVED_MS = 10_000;
/** The lease lasts 7 s and a standby checks once a second. The rest is slack for a slow machine. */
const TAKEN_OVER_MS = 14_000;
const SLACK_MS = 3_000;
/** Less than the shortest lease of a stopped projector, 4 s. */
const LOOK_MS = 250;
const TIMEOUT_MS = 180_000;
const IS_WHOLE = process.env['FAULTS'] === 'all';
const ROUNDS = IS_WHOLE ? 3 : 1;
const JOBS = 5;
const BETWEEN_MS = 5_000;

let world: World;
let poster: AgentClient;
afterEach(() => world.stop());

async function start(projectors: number): Promise<void> {
  world = await World.start({ apart: { gateways: 1, projectors } });
  [poster] = (await world.agents('poster')) as [AgentClient];
}

const checkpoints = () => world.service.stores.documents.checkpoints();

let posted = 0;
async function post(): Promise<void> {
  const job = { summary: 'Twenty characters at least.', done: 'a thing is done' };
  for (let left = JOBS; left > 0; left -= 1) await poster.job({ ...job, title: `Job ${(posted += 1)}` });
}

/** Returns the ms until the documents contain all current events. */
async function untilShown(): Promise<number> {
  const from = performance.now();
  const { stores, models } = world.service;
  expect(await models.waitForPosition(await stores.log.head(), TIMEOUT_MS)).toBe(true);
  return performance.now() - from;
}

async function standingBehind(head: Position): Promise<string[]> {
  const all = await checkpoints();
  const until = performance.now() + SLACK_MS;
  for (let before = ''; ;) {
    await new Promise(resolve => setTimeout(resolve, LOOK_MS));
    const left = (await checkpoints()).filter(({ position }) => position < head).map(({ name }) => name);
    const isSettled = left.length < all.length / 2 && left.join() === before;
    if (isSettled || performance.now() > until) return left;
    before = left.join();
  }
}

test(
  'a stopped projector delays only its share; a killed one is replaced within 10 s',
  async () => {
    await start(3);
    const standing: string[][] = [];
    for (const projector of world.apart.projectors) {
      // The others hold the share of a projector that was stopped longer than its leases.
      await new Promise(resolve => setTimeout(resolve, SHARED_MS));
      await projector.freeze();
      await post();
      standing.push(await standingBehind(await world.service.stores.log.head()));
      projector.resume();
      await untilShown();
    }
    const all = (await checkpoints()).map(({ name }) => name);
    for (const names of standing) expect(names.length).toBeLessThan(all.length / 2);
    expect(new Set(standing.flat())).toEqual(new Set(all));

    for (const projector of world.apart.projectors.slice(0, 2)) {
      await post();
      await projector.kill();
      await post();
      expect(await untilShown()).toBeLessThan(MOVED_MS + SLACK_MS);
      await world.apart.addProjector();
    }
    expect(await world.audit()).toEqual(CLEAN);
  },
  TIMEOUT_MS,
);

test(
  'a standby projector resumes after a killed one within its lease',
  async () => {
    await start(1);
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
      expect(await world.counts('JobPosted')).toEqual([round * JOBS * 3]);
    }
    expect(await world.audit()).toEqual(CLEAN);
  },
  TIMEOUT_MS,
);

(IS_WHOLE ? test : test.skip)(
  'a projector that hung longer than its lease writes nothing and becomes a standby',
  async () => {
    await start(1);
    const { apart } = world;
    const first = apart.projectors[0]!;
    const second = await apart.addProjector();
    await post();
    await untilShown();
    await first.freeze();
    await post();
    expect(await untilShown()).toBeLessThan(TAKEN_OVER_MS);
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
