import { afterEach, expect, test } from '@jest/globals';
import { Projector } from '#libs/documents/projector.js';
import type { DocumentStore } from '#libs/documents/document-store.port.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Rebuild } from '#libs/documents/rebuild/rebuild.js';
import type { Fact } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { ClaimLost, Forgotten } from '#libs/domain/muse.js';
import { asEvents } from '../given.js';
import { until } from '../unit/documents/bench.js';
import { InMemoryStores } from '../unit/in-memory-stores.js';
import { contract, documentStores, type Open } from './adapters.js';

const STREAM = 'muse-agent_poster0000';
const AUTHOR = 'agent_0000000000';
const NAMES = ['first', 'second', 'third'];
const WORDS = Array.from({ length: 20 }, (_, n) => `word-${n}`);
const TIMEOUT_MS = 60_000;
const quiet = { moved: () => undefined, stop: () => undefined, onWait: () => undefined };

/** Counts each word and keeps its author. */
const words = (name: string, onFold: (name: string) => void = () => undefined): Projection => ({
  name,
  version: 1,
  types: [ClaimLost.type, Forgotten.type],
  indexes: { byMuse: ['muse'] },
  holders: ['byMuse'],
  keys: event => (event.type === ClaimLost.type ? [(event.data as { claim: string }).claim] : []),
  evolve: (document, event): JsonObject | null => {
    if (event.type === Forgotten.type) return document ? { ...document, muse: null } : null;
    onFold(name);
    return { muse: AUTHOR, count: ((document?.count as number | undefined) ?? 0) + 1 };
  },
});
const projections = NAMES.map(name => words(name));
/** A later build of the product changes only the third projection. */
const ofVersion = (each: Projection, version: number) => (each.name === 'third' ? { ...each, version } : each);

const running = new Set<Projector>();
afterEach(async () => {
  await Promise.all([...running].map(each => each.stop()));
  running.clear();
});

/** A log with processes that project it, each with its own connection. */
class Processes extends InMemoryStores {
  readonly errors: string[] = [];
  private folds: string[] = [];
  private appended = 0;

  constructor(private readonly open: Open<DocumentStore>) {
    super();
  }

  async say(...facts: readonly Fact[]): Promise<void> {
    for (const event of asEvents([...facts], STREAM))
      await this.journal.append(STREAM, 'any', [{ ...event, id: `said-${(this.appended += 1)}` }]);
  }

  sayAll = () => this.say(...WORDS.map(claim => ClaimLost({ claim })));

  async reader(version = 1): Promise<ReadModels> {
    const models = new ReadModels(
      await this.open(),
      this.log,
      projections.map(each => ofVersion(each, version)),
    );
    await models.open();
    return models;
  }

  async start(holder: string, version = 1): Promise<Projector> {
    const { journal, clock } = this;
    const store = await this.open();
    const own = NAMES.map(name =>
      ofVersion(
        words(name, () => this.folds.push(holder)),
        version,
      ),
    );
    const log = { error: (_details: object, message: string) => void this.errors.push(message) };
    const projector = new Projector({ journal, store, clock, models: quiet, log, projections: own, holder });
    running.add(projector);
    await projector.start();
    return projector;
  }

  /** Names the processes that project new words. Each word is projected once per projection. */
  async folders(models: ReadModels): Promise<string> {
    this.folds = [];
    await this.sayAll();
    expect(await models.waitForHead()).toBe(true);
    expect(this.folds).toHaveLength(WORDS.length * NAMES.length);
    return [...new Set(this.folds)].sort().join();
  }
}

/** Returns the distinct counts of all words. */
async function counts(models: ReadModels, version = 1): Promise<unknown[]> {
  const own = projections.map(each => ofVersion(each, version));
  const documents = await Promise.all(own.map(each => models.of(each).scan(100)));
  for (const some of documents) expect(some).toHaveLength(WORDS.length);
  return [...new Set(documents.flat().map(({ body }) => body.count))];
}

contract('several projectors', documentStores, open => {
  test(
    'one projector is active, and a standby takes over from one that ends',
    async () => {
      const processes = new Processes(open);
      const [first, models] = [await processes.start('a'), await processes.reader()];
      let isActive = false;
      void (await processes.start('b')).active.then(() => (isActive = true));
      for (let times = 0; times < 2; times += 1) expect(await processes.folders(models)).toBe('a');
      expect(isActive).toBe(false);
      await first.stop();
      await until(async () => (await processes.folders(models)) === 'b');
      expect(isActive).toBe(true);
      expect(await counts(models)).toHaveLength(1);
      expect(processes.errors).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'a standby takes over the lease of a projector that no longer renews it',
    async () => {
      const processes = new Processes(open);
      const models = await processes.reader();
      const [{ journal, clock }, store] = [processes, await open()];
      const parts = { journal, store, clock, models: quiet, log: { error: () => undefined }, projections };
      const hung = new Projector(parts);
      running.add(hung);
      await hung.start();
      await processes.start('standby');
      await processes.sayAll();
      expect(await models.waitForHead()).toBe(true);
      const leaseAll = store.leaseAll.bind(store);
      let resume = () => undefined as void;
      const resumed = new Promise<void>(resolve => (resume = resolve));
      store.leaseAll = (...request) => resumed.then(() => leaseAll(...request));
      clock.advance(4_000);
      await until(async () => (await processes.folders(models)) === 'standby');
      resume();
      expect(await counts(models)).toHaveLength(1);
    },
    TIMEOUT_MS,
  );

  test(
    'one of the projectors that start at once fills a long log',
    async () => {
      const processes = new Processes(open);
      for (let times = 0; times < 3; times += 1) await processes.sayAll();
      await Promise.all(['a', 'b', 'c'].map(holder => processes.start(holder)));
      const models = await processes.reader();
      expect(await counts(models)).toEqual([3]);
      await processes.folders(models);
      expect(await counts(models)).toEqual([4]);
      expect(processes.errors).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(
    'documents that hold more than the log are rebuilt',
    async () => {
      const before = new Processes(open);
      for (let times = 0; times < 2; times += 1) await before.sayAll();
      await (await before.start('a')).stop();
      const restored = new Processes(open);
      await restored.sayAll();
      await Promise.all(['a', 'b'].map(holder => restored.start(holder)));
      const models = await restored.reader();
      expect(await counts(models)).toEqual([1]);
      await restored.folders(models);
      expect(await counts(models)).toEqual([2]);
      for (const error of restored.errors) expect(error).toContain('documents are ahead of the event log');
    },
    TIMEOUT_MS,
  );

  test(
    'projectors of two product versions share projections without a visible effect',
    async () => {
      const processes = new Processes(open);
      for (const holder of ['a', 'b']) await processes.start(holder);
      await processes.sayAll();
      expect(await (await processes.reader()).waitForHead()).toBe(true);
      await processes.start('newer', 2);
      const readers = [await processes.reader(), await processes.reader(2)] as const;
      for (let times = 0; times < 5; times += 1) await processes.sayAll();
      for (const each of readers) expect(await each.waitForHead()).toBe(true);
      await processes.say(Forgotten({ muse_id: AUTHOR, referred_by: null }));
      for (const [index, each] of readers.entries()) {
        expect(await each.waitForHead()).toBe(true);
        for (const projection of projections) {
          const documents = await each.of(ofVersion(projection, index + 1)).scan(100);
          expect(documents.map(({ body }) => body.muse)).toEqual(WORDS.map(() => null));
        }
      }
      const parts = { journal: processes.journal, store: await open(), clock: processes.clock, projections };
      const [report] = await Promise.all([new Rebuild(parts, { dryRun: false }).run(), processes.sayAll()]);
      for (const each of report.projections)
        expect(each).toMatchObject({ switched: true, failed: null, parity: { compared: 20, differences: [] } });
      expect(report.projections.map(({ build }) => build)).toEqual(NAMES.map(name => `${name}@1-b`));
      await processes.sayAll();
      for (const [index, each] of readers.entries()) {
        expect(await each.waitForHead()).toBe(true);
        expect(await counts(each, index + 1)).toEqual([8]);
      }
      expect(processes.errors).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
