import { expect, test } from '@jest/globals';
import { databaseUrl, mongodb } from '../contract/mongodb.server.js';
import { pageWhileItGrows } from '../paging-story.js';
import { newFolder, World } from '../world.js';

const PATIENCE_MS = 900_000;
/** A thousand items of eight kinds. The test server takes some ten milliseconds per document. */
const GROWTH = { before: 60, inserted: 132, atOnce: 12 };
const NAME = 'pages through MongoDB lists without gaps or repeats while items arrive';

if (mongodb.available) test(NAME, story, PATIENCE_MS);
else test('MongoDB', () => console.info(`Paging on MongoDB was not run. To run it: ${mongodb.howToRun}`));

async function story(): Promise<void> {
  const folder = newFolder();
  const world = await World.start({ folder, settings: { DOCUMENTS: 'mongodb', MONGODB_URL: databaseUrl(folder) } });
  try {
    await pageWhileItGrows(world, GROWTH);
  } finally {
    await world.stop();
    await mongodb.remove(folder);
  }
  expect.hasAssertions();
}
