import { expect, test } from '@jest/globals';
import { pageWhileItGrows } from '../paging-story.js';
import { World } from '../world.js';

const PATIENCE_MS = 240_000;

test(
  'who pages through a list while a thousand items come misses none and sees none twice',
  async () => {
    const world = await World.start();
    try {
      await pageWhileItGrows(world, { before: 120, inserted: 1_000, atOnce: 100 });
    } finally {
      await world.stop();
    }
    expect.hasAssertions();
  },
  PATIENCE_MS,
);
