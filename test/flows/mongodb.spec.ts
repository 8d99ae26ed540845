import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { databaseUrl, mongodb } from '../contract/mongodb.server.js';
import { CLEAN, World } from '../world.js';

const job = { title: 'Translate a page', summary: 'From English to French.', done: 'A page at an address.' };

if (mongodb.available) test('one job with documents, keys and short-lived state in MongoDB, restarts included', story);
else test('MongoDB', () => console.info(`The flow on MongoDB was not run. To run it: ${mongodb.howToRun}`));

async function story(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mongodb-flow-'));
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
