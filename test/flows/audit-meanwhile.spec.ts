import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { RawAgent } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

/** What the other flow tests end with, on a service that goes on by itself: a reaction writes when it comes to it. */
let world: World;
let agent: RawAgent;

beforeAll(async () => {
  world = await World.start();
  agent = await world.raw('Ada');
});
afterAll(() => world.stop());

test('an audit compares log and documents of one moment, although an event is written while it looks', async () => {
  const { journal } = world.service.stores;
  const readAll = journal.readAll.bind(journal);
  jest.spyOn(journal, 'readAll').mockImplementation(async (...asked) => {
    const page = await readAll(...asked);
    if (page.events.length > 0) return page;
    jest.restoreAllMocks();
    await agent.post('post', { text: 'Behind what was read.' });
    await world.settled();
    return page;
  });
  expect(await world.audit()).toEqual(CLEAN);
  expect(await world.counts('Posted')).toEqual([1]);
});
