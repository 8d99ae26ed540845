import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { storyEvents } from '../vectors/event-samples.js';
import { CLEAN, World } from '../world.js';

/** Unsigned log with every event type: audits only documents, privacy and erasure. */
const story = storyEvents();
let world: World;

beforeAll(async () => void (world = await World.start()));
afterAll(() => world.stop());

test('contains every event type', () => {
  const types = new Set(story.map(({ type }) => type));
  expect([...EVENT_TYPES.keys()].filter(type => !types.has(type))).toEqual([]);
});

test('projects, hides and erases every event type, including a lost wage', async () => {
  const { journal } = world.service.stores;
  for (const event of story) await journal.append(event.stream, 'any', [event], { hasTimeOfCause: true });
  await world.settle();
  const { signatures: _unsigned, opened: _undecided, ...documents } = CLEAN;
  expect(await world.audit()).toMatchObject(documents);
});
