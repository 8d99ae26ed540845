import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AgentClient } from '#libs/client/index.js';
import type { Position } from '#libs/kernel/event.js';
import { CLEAN, World } from '../world.js';

/** Takeover time of a killed projector, plus slack for a slow machine. */
const MOVED_MS = 10_000;
const SLACK_MS = 3_000;
/** Time that three projectors need to balance their shares. */
const SHARED_MS = 5_000;
/** Less than the shortest lease of a stopped projector, 4 s. */
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

/** Returns the ms until the documents contain all current events. */
async function untilShown(): Promise<number> {
  const from = performance.now();
  expect(await world.service.models.waitForPosition(await world.service.stores.log.head(), TIMEOUT_MS)).toBe(true);
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
  'a stopped projector delays only its own share of the projections',
  async () => {
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
  },
  TIMEOUT_MS,
);

test(
  'a killed projector is replaced within 10 s, and a restarted one gets a share',
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
