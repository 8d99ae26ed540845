import { expect, test } from '@jest/globals';
import { Projector } from '#libs/documents/projector.js';
import type { DocumentStore } from '#libs/documents/document-store.port.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Rebuild } from '#libs/documents/rebuild/rebuild.js';
import { ClaimLost } from '#libs/domain/muse.js';
import type { Projection } from '#libs/kernel/projection.js';
import { asEvents } from '../given.js';
import { InMemoryStores } from '../unit/in-memory-stores.js';
import { contract, documentStores } from './adapters.js';
import type { Open } from './adapters.js';

/** Counts each of ten letters. A new version counts twice. */
const letters = (version: number): Projection => ({
  name: 'letters',
  version,
  types: [ClaimLost.type],
  indexes: { by_count: ['count'] },
  keys: event => [(event.data as { claim: string }).claim],
  evolve: document => ({ count: ((document?.count as number | undefined) ?? 0) + version }),
});

contract('a rebuild', documentStores, open => {
  test('rebuilds documents while two versions run and reports the differences', async () => {
    const stores = new InMemoryStores();
    const [old, newer] = [
      await projecting(stores, open, 1),
      await (await said(stores, 40), projecting(stores, open, 2)),
    ];
    // A rebuild needs a projection that has started.
    for (const { models } of [old, newer]) expect(await models.waitForHead()).toBe(true);
    await said(stores, 20);
    const here = await open();
    const parts = { journal: stores.journal, store: here, clock: stores.clock, projections: [letters(1)] };
    const rebuilding = new Rebuild(parts, { dryRun: false }).run();
    await said(stores, 20);
    expect((await rebuilding).projections).toMatchObject([
      {
        name: 'letters',
        build: 'letters@1-b',
        switched: true,
        failed: null,
        parity: { compared: 10, differences: [] },
      },
    ]);
    await said(stores, 20);
    for (const { models, version } of [old, newer]) {
      expect(await models.waitForHead()).toBe(true);
      const counted = await models.of(letters(version)).scan(20);
      expect(counted.map(({ body }) => body.count)).toEqual(Array(10).fill(10 * version));
    }
    expect((await here.builds.begin(letters(2)))[0].name).toBe('letters@2-c');
    await Promise.all([old, newer].map(({ projector }) => projector.stop()));
  }, 60_000);
});

async function projecting({ journal, log, clock }: InMemoryStores, open: Open<DocumentStore>, version: number) {
  const [store, projections] = [await open(), [letters(version)]];
  const models = new ReadModels(store, log, clock, projections);
  await models.open();
  const report = { error: (details: object, message: string) => console.error(message, details) };
  const projector = new Projector({ journal, store, clock, models, log: report, projections });
  await projector.start();
  return { models, projector, version };
}

let appended = 0;
async function said({ journal }: InMemoryStores, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const [event] = asEvents([ClaimLost({ claim: 'abcdefghij'[n % 10]! })], 'muse-agent_poster0000');
    await journal.append('muse-agent_poster0000', 'any', [{ ...event!, id: `said-${(appended += 1)}` }]);
  }
}
