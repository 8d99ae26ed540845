import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Collection, type Document, MongoClient, MongoServerError } from 'mongodb';
import { MongoCoordination } from '#libs/platform/coordination/mongodb.coordination.js';
import type { MongoDocument } from '#libs/documents/mongodb.builds.js';
import { openCursor } from '#libs/documents/mongodb.collection.js';
import { countNeeded, listFieldPosition } from '#libs/documents/index-range.js';
import { MongoDocumentStore } from '#libs/documents/mongodb.document-store.js';
import type { DocumentStore, Lease } from '#libs/documents/document-store.port.js';
import { LOG_START } from '#libs/kernel/event.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { MongoConnection } from '#libs/platform/mongodb/connection.js';
import { MongoVault } from '#libs/platform/vault/mongodb.vault.js';
import { at, batch, type Doc, move, NOW, profiles, range, ready, TTL_MS } from './documents.samples.js';
import { mongodb, newDatabaseUrl } from './mongodb.server.js';

let url = '';
let client: MongoClient;
let stores: MongoDocumentStore[] = [];

const open = async () => {
  const store = await MongoDocumentStore.open(url);
  stores.push(store);
  return store;
};
const build = (name = 'profiles@1-a') => client.db().collection<MongoDocument>(name);

if (mongodb.available) describe('MongoDB', tests);
else test('MongoDB', () => console.info(`MongoDB’s own tests were not run. To run them: ${mongodb.howToRun}`));

function tests(): void {
  beforeEach(async () => {
    url = newDatabaseUrl();
    client = await new MongoClient(url).connect();
  });
  afterEach(async () => {
    await Promise.all(stores.map(store => store.close()));
    stores = [];
    await client.db().dropDatabase();
    await client.close();
  });
  indexing();
  committing();
  connecting();

  test('expired short-lived state is removed by the server', async () => {
    const state = await MongoCoordination.open(url);
    await state.putIfAbsent('nonce', 'value', NOW + 1, NOW);
    await state.compareAndSet('nonce', 'value', 'spent', NOW + 2, NOW);
    await state.add('counter', 1, NOW + 3, NOW);
    const entries = client.db().collection('entries');
    const ends = await entries.find().sort({ endsAt: 1 }).toArray();
    expect(ends.map(({ _id, endsAt }) => [_id, endsAt])).toEqual([
      ['nonce', new Date(NOW + 2)],
      ['counter', new Date(NOW + 3)],
    ]);
    expect((await entries.indexes()).filter(index => 'expireAfterSeconds' in index)).toMatchObject([
      { key: { endsAt: 1 }, expireAfterSeconds: 3_600 },
    ]);
    await state.close();
  });

  test('a destroyed key leaves nothing in the collection', async () => {
    const vault = await MongoVault.open(url);
    await vault.putIfAbsent('muse-a', Uint8Array.from([1, 2, 3]));
    await vault.destroy('muse-a');
    expect(await client.db().collection('keys').find().toArray()).toEqual([{ _id: 'muse-a', value: null }]);
    await vault.close();
  });
}

function indexing(): void {
  test('each query over a declared index is a single ordered range of that index', async () => {
    const { store, lease } = await ready(open);
    await store.commit([batch(0, 1, ['a', 1, { score: 1, city: 'Rome', tags: ['red', 'blue'] }])], lease);
    for (const [index, fields] of Object.entries(profiles.indexes)) {
      for (let equal = countNeeded(fields); equal <= fields.length; equal += 1)
        for (const order of ['asc', 'desc'] as const)
          for (const after of [undefined, [...fields.slice(equal), 'id']]) {
            const indexRange = range(index, { equals: fields.slice(0, equal), order, after, limit: 1 });
            const plan = await openCursor(build(), indexRange, fields).explain();
            const planStages = stages(plan.queryPlanner.winningPlan);
            const steps = ['LIMIT', 'PROJECTION', 'FETCH', `IXSCAN ${fields.join()}`];
            if (listFieldPosition(fields) < 0) expect(planStages).toEqual(steps);
            // MongoDB returns the texts of a list in order; compatible servers may sort them.
            else expect(planStages).toEqual(expect.arrayContaining(steps.slice(1)));
          }
    }
    const red = range('by_tag', { equals: [true, 'red'] });
    const meeting = openCursor(build(), red, profiles.indexes['by_tag']!, { until: [1, 'a'], others: [['blue']] });
    const plan = await meeting.explain();
    expect(stages(plan.queryPlanner.winningPlan)).toContain('IXSCAN open,tags[],score');
  });

  test('an index that is declared later covers earlier shared commits', async () => {
    const { store, lease } = await ready(open);
    const commit = await together(store, lease);
    for (const position of [0, 1, 2]) await commit(position, 'Ada');
    const later = { ...profiles, indexes: { ...profiles.indexes, by_name: ['name'] } };
    const collection = await (await open()).open(later);
    await commit(3, 'Abe');
    const names = (await collection.find(range('by_name'))).map(({ body }) => body.name);
    expect(names).toEqual(['Abe', 'Ada', 'Ada', 'Ada']);
  });
}

/** Returns a function that commits two projections together, each with a new document. */
async function together(store: DocumentStore, lease: Lease) {
  const posts = { ...profiles, name: 'posts' };
  await store.open(posts);
  return (at: number, name: string, { documents = [] as Doc[], by = lease } = {}) => {
    const own = batch(at, at + 1, ...(documents.length > 0 ? documents : [[`d${at}`, at + 1, { name }] satisfies Doc]));
    return store.commit([own, { ...batch(at, at + 1), projection: posts }], by);
  };
}

function committing(): void {
  test('a fill is acknowledged by a majority, documents before their checkpoint', async () => {
    const { store } = await ready(open);
    const filler = (await store.lease('fill', 'here', TTL_MS, NOW))!;
    const [build] = await store.builds.begin(profiles);
    const many = jest.spyOn(Collection.prototype, 'bulkWrite');
    const one = jest.spyOn(Collection.prototype, 'updateOne');
    const { documents } = batch(0, 1, ['a', 1, { score: 7 }]);
    const filling = { documents, from: LOG_START, to: at(1), isGentle: true };
    await store.builds.fill(build, filling, async () => filler);
    const majority = expect.objectContaining({ w: 'majority' });
    expect(many.mock.calls.map(([, options]) => options?.writeConcern)).toEqual([majority]);
    const checkpoints = (one.mock.contexts as Collection[]).map(each => [each.collectionName, each.writeConcern]);
    expect(checkpoints).toEqual([['meta.checkpoints', majority]]);
    expect(many.mock.invocationCallOrder[0]!).toBeLessThan(one.mock.invocationCallOrder[0]!);
    jest.restoreAllMocks();
    expect(await store.builds.reached(build)).toBe(at(1));
  });

  test('moves projections at an equal position with a single document', async () => {
    const { store, lease } = await ready(open);
    const projections = ['a', 'b', 'c'].map(name => ({ ...profiles, name }));
    for (const projection of projections) await store.open(projection);
    const go = (from: number, to: number, some = projections) => store.commit(move(some, from, to), lease);
    const rows = () =>
      client
        .db()
        .collection<Document & { _id: string }>('meta.checkpoints')
        .find({ _id: /^[@abc]/ })
        .sort({ _id: 1 })
        .toArray();
    await go(0, 3, projections.slice(0, 2));
    await go(0, 3, projections.slice(2));
    await go(3, 4);
    const [shared, ...own] = await rows();
    expect(shared).toMatchObject({ position: at(4), builds: ['a@1-a', 'b@1-a', 'c@1-a'] });
    await go(4, 5);
    expect(await rows()).toEqual([{ ...shared, position: at(5) }, ...own]);
    await go(5, 6, projections.slice(1));
    await go(5, 6, projections.slice(0, 1));
    await go(6, 7);
    expect((await rows()).map(({ _id }) => _id.slice(0, 1))).toEqual(['@', 'a', 'b', 'c']);
  });

  test('a duplicate in another unique index fails the commit and writes nothing', async () => {
    const { store, collection, lease } = await ready(open);
    await store.commit([batch(0, 1, ['a', 1, { score: 1 }])], lease);
    await build().createIndex({ 'body.score': 1 }, { unique: true });
    const twice = store.commit([batch(1, 2, ['b', 2, { score: 7 }], ['c', 2, { score: 1 }])], lease);
    await expect(twice).rejects.toThrow(MongoServerError);
    expect([await collection.get('b'), await collection.checkpoint()]).toEqual([undefined, at(1)]);
  });

  test.each([
    ['one projection', 0],
    ['several projections with a shared checkpoint', 3],
  ])('a commit of %s during a takeover is written before it or never', async (_, warm) => {
    const { store, collection, lease: first } = await ready(open);
    let [lease, position] = [first, warm];
    const several = await together(store, first);
    for (let at = 0; at < warm; at += 1) await several(at, 'Ada');
    for (let round = 1; round <= 10; round += 1) {
      const documents: Doc[] = [[`e${round}`, position + 1, {}]];
      const writing =
        warm > 0
          ? several(position, 'Ada', { documents, by: lease })
          : store.commit([batch(position, position + 1, ...documents)], lease);
      const taking = store.lease('projector', `p${round}`, round, NOW + round * 1_000_000);
      const [written, taken] = await Promise.allSettled([writing, taking]);
      if (written.status === 'fulfilled') position += 1;
      else expect(written.reason).toMatchObject({ name: 'CommitConflict' });
      expect(await collection.checkpoint()).toBe(position === 0 ? LOG_START : at(position));
      expect(Boolean(await collection.get(`e${round}`))).toBe(written.status === 'fulfilled');
      if (taken.status === 'fulfilled' && taken.value) lease = taken.value;
    }
    expect(lease.epoch).toBe(11);
  });
}

function connecting(): void {
  test('stores with an equal address share a client, which the last one closes', async () => {
    const [here, there] = [await MongoConnection.open(url, 'Here'), await MongoConnection.open(url, 'There')];
    expect(here.client).toBe(there.client);
    await here.close();
    await here.close();
    await expect(here.run(() => here.db.stats())).rejects.toThrow(Unavailable);
    expect(await there.run(() => there.db.command({ ping: 1 }))).toMatchObject({ ok: 1 });
    await there.close();
    const anew = await MongoConnection.open(url, 'Anew');
    expect(anew.client).not.toBe(there.client);
    await anew.close();
  });
}

/** Lists the stages of a plan, outermost first. */
function stages(plan: Document | undefined): string[] {
  if (!plan) return [];
  const [kind] = String(plan.stage).split('_');
  return [plan.indexName ? `${kind} ${plan.indexName}` : kind!, ...stages(plan.inputStage as Document | undefined)];
}
