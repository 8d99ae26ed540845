import { expect, test } from '@jest/globals';
import { pageWhileItGrows } from '../paging-story.js';
import { World } from '../world.js';

const PATIENCE_MS = 240_000;

test(
  'pages through every list without a gap or a repeat while a thousand items arrive',
  async () => {
    const world = await World.start();
    try {
      await pageWhileItGrows(world, { before: 60, inserted: 132, atOnce: 12 });
    } finally {
      await world.stop();
    }
    expect.hasAssertions();
  },
  PATIENCE_MS,
);
