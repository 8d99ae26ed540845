import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AgentClient } from '#libs/client/index.js';
import type { Position } from '#libs/kernel/event.js';
import { CLEAN, World } from '../world.js';

/** What a killed projector has kept moves on elsewhere within so long; the rest is for a slow machine. */
const MOVED_MS = 10_000;
const SLACK_MS = 3_000;
/** How long three that have just started, or go on, need until each has its share. */
const SHARED_MS = 5_000;
/** Well before the leases of who stands still are over, 4 s at the least. */
const LOOK_MS = 250;
const TIMEOUT_MS = 120_000;

let world: World;
let poster: AgentClient;
beforeAll(async () => {
  world = await World.start({ apart: { gateways: 1, projectors: 3 } });
  [poster] = (await world.agents('poster')) as [AgentClient];
}, TIMEOUT_MS);
afterAll(() => world.stop());

const checkpoints = () => world.service.stores.documents.checkpoints();

let posted = 0;
async function post(): Promise<void> {
  const job = { summary: 'Twenty characters at least.', done: 'a thing is done' };
  for (let left = 5; left > 0; left -= 1) await poster.job({ ...job, title: `Job ${(posted += 1)}` });
}

/** How long it takes until the documents contain what was written by now, ms. */
async function untilShown(): Promise<number> {
  const from = performance.now();
  expect(await world.service.models.reach(await world.service.stores.log.head(), TIMEOUT_MS)).toBe(true);
  return performance.now() - from;
}

/** The projections that have not taken what was written while one stands still, once the others have. */
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
  'three projectors share the projections: one that stands still holds up its own, and others go on',
  async () => {
    const standing: string[][] = [];
    for (const projector of world.apart.projectors) {
      // Where the one before stood still for longer than its leases last, the others had its share meanwhile.
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
  },
  TIMEOUT_MS,
);

test(
  'what a killed one has kept goes on with the others within 10 s, and one that is started again has its share',
  async () => {
    for (const projector of [...world.apart.projectors.slice(0, 2)]) {
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
