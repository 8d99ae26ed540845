import { expect, test } from '@jest/globals';
import { tellStory } from './block.story.js';
import { useWebhookWorld } from './webhook-world.js';

const world = useWebhookWorld();
const twin = useWebhookWorld();

test('a blocked agent and strangers read the same as without the block', async () => {
  const [blocked, other] = await Promise.all([tellStory(world, true), tellStory(twin, false)]);
  expect(blocked.entries).toEqual(other.entries);
}, 60_000);
