import { expect, test } from '@jest/globals';
import { CommitConflict, type DocumentStore } from '#libs/documents/document-store.port.js';
import { LOG_START } from '#libs/kernel/event.js';
import { contract, documentStores, type Open } from './adapters.js';
import { builds } from './documents.builds.js';
import { finds } from './documents.finding.js';
import { meetings } from './documents.meetings.js';
import { pagesOfPeople, pagesOfTheFeed } from './documents.paging.js';
import { sharedCheckpoints } from './documents.checkpoints.js';
import { unusedBuilds } from './documents.unused.js';
import { at, batch, NOW, profiles, range, ready, TTL_MS } from './documents.samples.js';

contract('the documents', documentStores, open => {
  writes(open);
  guards(open);
  checkpoints(open);
  sharedCheckpoints(open);
  builds(open);
  unusedBuilds(open);
  finds(open);
  meetings(open);
  pagesOfTheFeed(open);
  pagesOfPeople(open);
  leases(open);
});

function writes(open: Open<DocumentStore>): void {
  test('a document is read back unchanged with its position', async () => {
    const { store, collection, lease } = await ready(open);
    const body = { name: 'für 猫 😀 \u0000', list: [1.5, null, { deep: true }], score: -3 };
    await store.commit([batch(0, 5, ['a', 4, body], ['b', 5, {}])], lease);
    expect(await collection.get('a')).toEqual({ id: 'a', position: at(4), body });
    expect(await collection.get('nobody')).toBeUndefined();
    const many = await collection.getMany(['b', 'nobody', 'a', 'a']);
    expect(many.map(each => each.id).sort()).toEqual(['a', 'b']);
    expect(await collection.getMany([])).toEqual([]);
    await expect(collection.getMany(Array.from({ length: 1_001 }, String))).rejects.toThrow(RangeError);
  });

  test('a new build is at the start and its checkpoint moves with its documents', async () => {
    const { store, collection, lease } = await ready(open);
    expect(await collection.checkpoint()).toBe(LOG_START);
    await store.commit([batch(0, 7)], lease);
    await store.commit([batch(7, 9, ['a', 8, {}])], lease);
    expect(await collection.checkpoint()).toBe(at(9));
    await store.close();
    const again = await (await open()).open(profiles);
    expect([await again.checkpoint(), (await again.get('a'))?.position]).toEqual([at(9), at(8)]);
  });

  test('another instance reads committed documents', async () => {
    const { store, lease } = await ready(open);
    const there = await (await open()).open(profiles);
    await store.commit([batch(0, 1, ['a', 1, { score: 1 }])], lease);
    expect(await there.get('a')).toEqual({ id: 'a', position: at(1), body: { score: 1 } });
  });

  test('the version, if supported, changes only when an instance writes a document', async () => {
    const { store, lease } = await ready(open);
    const there = await open();
    const turn = () => new Promise(resolve => setImmediate(resolve));
    const before = there.version?.();
    await store.commit([batch(0, 1)], lease);
    await turn();
    expect(there.version?.()).toBe(before);
    if (before === undefined) return;
    await store.commit([batch(1, 2, ['a', 2, {}])], lease);
    await turn();
    expect(there.version?.()).not.toBe(before);
    expect(store.version?.()).toBe(there.version?.());
  });

  test('a body of null removes the document', async () => {
    const { store, collection, lease } = await ready(open);
    await store.commit([batch(0, 1, ['a', 1, { score: 1 }])], lease);
    await store.commit([batch(1, 2, ['a', 2, null], ['never', 2, null])], lease);
    expect(await collection.get('a')).toBeUndefined();
    expect(await collection.find(range('by_score'))).toEqual([]);
  });

  test('a document ignores changes that it has already seen', async () => {
    const { store, collection, lease } = await ready(open);
    await store.commit([batch(0, 5, ['a', 5, { score: 5 }])], lease);
    await store.commit([batch(5, 6, ['a', 5, { score: 50 }])], lease);
    await store.commit([batch(6, 7, ['a', 4, { score: 40 }], ['a', 5, null])], lease);
    expect(await collection.get('a')).toEqual({ id: 'a', position: at(5), body: { score: 5 } });
  });

  test('versions of a projection are separate builds', async () => {
    const { store, collection, lease } = await ready(open);
    const second = await store.open({ ...profiles, version: 2 });
    await store.commit([batch(0, 1, ['a', 1, {}])], lease);
    await store.commit([{ ...batch(0, 3, ['b', 3, {}]), projection: { name: 'profiles', version: 2 } }], lease);
    expect([await collection.checkpoint(), await second.checkpoint()]).toEqual([at(1), at(3)]);
    expect([await collection.get('b'), await second.get('a')]).toEqual([undefined, undefined]);
  });
}

function guards(open: Open<DocumentStore>): void {
  test('a batch from another checkpoint is refused together with its commit', async () => {
    const { store, collection, lease } = await ready(open);
    const posts = await store.open({ ...profiles, name: 'posts' });
    const good = { ...batch(0, 1, ['p', 1, {}]), projection: { name: 'posts', version: 1 } };
    await expect(store.commit([good, batch(3, 4, ['a', 4, {}])], lease)).rejects.toThrow(CommitConflict);
    expect([await posts.get('p'), await collection.get('a')]).toEqual([undefined, undefined]);
    expect([await posts.checkpoint(), await collection.checkpoint()]).toEqual([LOG_START, LOG_START]);
    await store.commit([good, batch(0, 4, ['a', 4, {}])], lease);
    expect([await posts.checkpoint(), await collection.checkpoint()]).toEqual([at(1), at(4)]);
  });

  test('documents that were folded from a replaced build are refused', async () => {
    const { store, lease } = await ready(open);
    await store.commit([{ ...batch(0, 1), build: 'profiles@1-a' }], lease);
    const [build] = await store.builds.begin(profiles);
    await store.builds.fill(build, { ...batch(0, 1), isGentle: true }, async () => lease);
    await store.builds.switchTo([build], [lease], NOW);
    const stale = { ...batch(1, 2, ['a', 2, {}]), build: 'profiles@1-a' };
    await expect(store.commit([stale], lease)).rejects.toThrow(CommitConflict);
    await store.commit([{ ...stale, build: build.name }], lease);
    expect(await store.checkpoints()).toMatchObject([{ build: build.name, position: at(2) }]);
  });

  test('exactly one of two writers at the same checkpoint succeeds', async () => {
    const { store, collection, lease } = await ready(open);
    const there = await open();
    await there.open(profiles);
    const tries = [store, there, store, there].map((each, index) =>
      each.commit([batch(0, 1, [`d${index}`, 1, {}])], lease),
    );
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(each => each.status === 'fulfilled')).toHaveLength(1);
    expect(await collection.getMany(['d0', 'd1', 'd2', 'd3'])).toHaveLength(1);
  });

  test('a writer without a lease cannot commit', async () => {
    const { store, collection, lease } = await ready(open);
    const other = (await store.lease('projector', 'other', TTL_MS, NOW + TTL_MS))!;
    await expect(store.commit([batch(0, 1, ['a', 1, {}])], lease)).rejects.toThrow(CommitConflict);
    await expect(store.commit([batch(0, 1)], { name: 'never', epoch: 1 })).rejects.toThrow(CommitConflict);
    await store.commit([batch(0, 1, ['b', 1, {}])], other);
    expect([await collection.get('a'), (await collection.get('b'))?.position]).toEqual([undefined, at(1)]);
    await store.release(other);
    await expect(store.commit([batch(1, 2)], other)).rejects.toThrow(CommitConflict);
  });
}

function checkpoints(open: Open<DocumentStore>): void {
  const posts = { ...profiles, name: 'posts', version: 3 };
  const running = { name: 'profiles', version: 1, build: 'profiles@1-a', stopped: null };

  test('a single query returns the checkpoints of all opened projections', async () => {
    const { store, lease } = await ready(open);
    await store.open(profiles);
    await store.open(posts);
    await (await open()).open({ ...profiles, name: 'elsewhere' });
    await store.commit([batch(0, 7)], lease);
    expect(await store.checkpoints()).toEqual([
      { ...running, position: at(7) },
      { ...running, name: 'posts', version: 3, build: 'posts@3-a', position: LOG_START },
    ]);
  });

  test('a projection appears in the checkpoints once it is opened in this instance', async () => {
    const { store } = await ready(open);
    await store.open(posts);
    const there = await open();
    await there.open(profiles);
    expect(await there.checkpoints()).toHaveLength(1);
    await there.open(posts);
    expect(await there.checkpoints()).toHaveLength(2);
  });

  test('every instance sees why a projection was halted until its next commit', async () => {
    const { store, lease } = await ready(open);
    const there = await open();
    await there.open(profiles);
    await store.stop(profiles, 'it cannot take an event', lease);
    const halted = [{ ...running, position: LOG_START, stopped: 'it cannot take an event' }];
    expect([await store.checkpoints(), await there.checkpoints()]).toEqual([halted, halted]);
    await store.commit([batch(0, 1)], lease);
    await store.stop(profiles, 'it stops again', lease);
    expect(await there.checkpoints()).toEqual([{ ...running, position: at(1), stopped: 'it stops again' }]);
    await store.commit([batch(1, 2)], lease);
    expect(await there.checkpoints()).toEqual([{ ...running, position: at(2) }]);
  });

  test('a process without a lease cannot halt a projection', async () => {
    const { store, lease } = await ready(open);
    await store.release(lease);
    await expect(store.stop(profiles, 'it cannot take an event', lease)).rejects.toThrow(CommitConflict);
    expect(await store.checkpoints()).toEqual([{ ...running, position: LOG_START }]);
  });
}

function leases(open: Open<DocumentStore>): void {
  test('a lease has one holder, who keeps its epoch until it expires', async () => {
    const [here, there] = [await open(), await open()];
    const lease = { name: 'projector', epoch: 1 };
    expect(await here.lease('projector', 'here', TTL_MS, NOW)).toEqual(lease);
    expect(await there.lease('projector', 'there', TTL_MS, NOW + TTL_MS - 1)).toBeNull();
    expect(await here.lease('projector', 'here', TTL_MS, NOW + 1_000)).toEqual(lease);
    expect(await there.lease('projector', 'there', TTL_MS, NOW + TTL_MS)).toBeNull();
    expect(await there.lease('projector', 'there', TTL_MS, NOW + 1_000 + TTL_MS)).toEqual({ ...lease, epoch: 2 });
    expect(await here.lease('projector', 'here', TTL_MS, NOW + 1_000 + TTL_MS)).toBeNull();
    expect(await here.lease('another', 'here', TTL_MS, NOW)).toEqual({ name: 'another', epoch: 1 });
  });

  test('a released lease is free at once, and its epoch is raised by one', async () => {
    const store = await open();
    const first = (await store.lease('projector', 'here', TTL_MS, NOW))!;
    await store.release(first);
    await store.release(first);
    const second = await store.lease('projector', 'there', TTL_MS, NOW);
    expect(second).toEqual({ name: 'projector', epoch: 2 });
    await store.release(first);
    expect(await store.lease('projector', 'here', TTL_MS, NOW)).toBeNull();
    expect(await (await open()).listLeases()).toEqual([{ name: 'projector', endsAt: NOW + TTL_MS }]);
  });

  test('leasing several names returns those that are free', async () => {
    const [here, there] = [await open(), await open()];
    await there.lease('b', 'there', TTL_MS, NOW + 1);
    const taken = async (...args: Parameters<DocumentStore['leaseAll']>) =>
      Object.fromEntries((await here.leaseAll(...args)).map(({ name, epoch }) => [name, epoch]));
    expect(await taken(['a', 'b', 'c'], 'here', TTL_MS, NOW)).toEqual({ a: 1, c: 1 });
    await here.release({ name: 'c', epoch: 1 });
    expect(await taken(['a', 'b', 'c', 'd'], 'here', TTL_MS, NOW + TTL_MS)).toEqual({ a: 1, c: 2, d: 1 });
    expect(await taken(['a', 'b', 'c', 'd'], 'here', TTL_MS, NOW + TTL_MS + 1)).toEqual({ a: 1, b: 2, c: 2, d: 1 });
    expect(await there.leaseAll(['a', 'b'], 'there', TTL_MS, NOW + TTL_MS + 2)).toEqual([]);
  });

  test('exactly one of many concurrent requests for a lease succeeds', async () => {
    const stores = [await open(), await open()];
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => stores[index % 2]!.lease('projector', `p${index}`, TTL_MS, NOW)),
    );
    expect(answers.filter(Boolean)).toEqual([{ name: 'projector', epoch: 1 }]);
  });
}
