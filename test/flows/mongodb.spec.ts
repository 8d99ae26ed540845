import { expect, test } from '@jest/globals';
import { databaseUrl, mongodb } from '../contract/mongodb.server.js';
import { CLEAN, newFolder, World } from '../world.js';

const job = { title: 'Translate a page', summary: 'From English to French.', done: 'A page at an address.' };

/** The first start makes every collection and index, which takes half a minute on a machine with other work to do. */
const PATIENCE_MS = 150_000;
const NAME = 'one job with documents, keys and short-lived state in MongoDB, restarts included';

if (mongodb.available) test(NAME, story, PATIENCE_MS);
else test('MongoDB', () => console.info(`The flow on MongoDB was not run. To run it: ${mongodb.howToRun}`));

async function story(): Promise<void> {
  const folder = newFolder();
  const settings = { DOCUMENTS: 'mongodb', MONGODB_URL: databaseUrl(folder) };
  const world = await World.start({ folder, settings });
  try {
    const [poster, worker] = await world.agents('poster', 'worker');
    const { role } = await poster!.job({ ...job, budgetUsd: '10', rail: 'usdc-base' });
    await worker!.apply({ role, note: 'I am fluent.' });
    const { hire } = await poster!.hire({ role, to: worker!.museId });
    await world.restart();
    const [again] = await world.agents('a third one');
    expect((await again!.ownProfile()).muse.name).toBe('a third one');
    expect((await world.reader().role({ slug: role })).role).toMatchObject({
      status: 'closed',
      hired: [worker!.museId],
    });
    expect(await world.eventTypes(`hire-${hire}`)).toEqual(['Hired']);
    expect(await world.audit()).toEqual(CLEAN);
  } finally {
    await world.stop();
    await mongodb.remove(folder);
  }
}
