import { expect, test } from '@jest/globals';
import type { FillBatch, NewBuild } from '#libs/documents/builds.port.js';
import { CommitConflict, type DocumentStore } from '#libs/documents/document-store.port.js';
import { LOG_START } from '#libs/kernel/event.js';
import type { Open } from './adapters.js';
import { at, batch, type Doc, NOW, profiles, range, ready, TTL_MS } from './documents.samples.js';

function filling(from: number, to: number, documents: Doc[]): FillBatch {
  const { documents: written, from: behind, to: reached } = batch(from, to, ...documents);
  return { documents: written, from: behind, to: reached, isGentle: true };
}

/** Returns a store with a live build at position 2 that holds `a`, and a lease to fill another build. */
async function standing(open: Open<DocumentStore>) {
  const { store, collection, lease } = await ready(open);
  await store.commit([batch(0, 2, ['a', 1, { score: 1 }])], lease);
  const filler = (await store.lease('fill', 'here', TTL_MS, NOW))!;
  const fill = (build: NewBuild, ...args: Parameters<typeof filling>) =>
    store.builds.fill(build, filling(...args), async () => filler);
  return { store, collection, lease, filler, fill };
}

export function builds(open: Open<DocumentStore>): void {
  test('readers do not see a build while it is filled', async () => {
    const { store, collection, fill } = await standing(open);
    const [build] = await store.builds.begin(profiles);
    expect([build.name, await store.builds.reached(build)]).toEqual(['profiles@1-b', LOG_START]);
    await fill(build, 0, 1, [['a', 1, { score: 7 }]]);
    await fill(build, 1, 2, [['b', 2, { score: 8 }]]);
    expect(await build.collection.getMany(['a', 'b'])).toHaveLength(2);
    expect((await build.collection.find(range('by_score'))).map(({ id }) => id)).toEqual(['a', 'b']);
    expect([await build.collection.checkpoint(), await store.builds.reached(build)]).toEqual([at(2), at(2)]);
    expect((await collection.scan(10)).map(({ id, body }) => [id, body])).toEqual([['a', { score: 1 }]]);
  });

  test('another instance finds an unfinished build with its progress', async () => {
    const { store, fill } = await standing(open);
    const [build] = await store.builds.begin(profiles);
    await fill(build, 0, 1, [['a', 1, { score: 7 }]]);
    const there = await open();
    await there.open(profiles);
    const [again] = await there.builds.begin(profiles);
    expect([again.name, await there.builds.reached(again)]).toEqual([build.name, at(1)]);
    expect((await again.collection.get('a'))?.body).toEqual({ score: 7 });
  });

  test('refilling an unfinished build changes nothing and keeps later documents', async () => {
    const { store, fill } = await standing(open);
    const [build] = await store.builds.begin(profiles);
    await expect(fill(build, 5, 6, [['a', 6, { score: 6 }]])).rejects.toThrow(CommitConflict);
    await fill(build, 0, 2, [
      ['a', 2, { score: 2 }],
      ['b', 1, null],
    ]);
    expect((await build.collection.get('a'))?.body).toEqual({ score: 6 });
    await expect(fill(build, 0, 2, [])).rejects.toThrow(CommitConflict);
  });

  test('a build cannot be filled without a lease', async () => {
    const { store, filler, fill } = await standing(open);
    const [build] = await store.builds.begin(profiles);
    await store.release(filler);
    await expect(fill(build, 0, 1, [['a', 1, {}]])).rejects.toThrow(CommitConflict);
    expect([await build.collection.get('a'), await store.builds.reached(build)]).toEqual([undefined, LOG_START]);
  });

  test('a fill of more documents than a single step allows writes all of them', async () => {
    const { store, fill } = await standing(open);
    const [build] = await store.builds.begin(profiles);
    const many = Array.from({ length: 1_010 }, (_, n): Doc => [`d${n}`, 1, { score: n }]);
    await fill(build, 0, 1, many);
    expect((await build.collection.find(range('by_score', { order: 'desc', limit: 1 })))[0]!.id).toBe('d1009');
  });

  switching(open);
  startingOver(open);
}

function startingOver(open: Open<DocumentStore>): void {
  test('starting over empties the live build for every process until a new one is filled', async () => {
    const { store, collection, lease } = await standing(open);
    const there = await open();
    const reading = await there.open(profiles);
    await store.builds.startOver(profiles, lease, NOW);
    for (const each of [store, there])
      expect(await each.checkpoints()).toMatchObject([{ position: LOG_START, stopped: null }]);
    for (const each of [collection, reading]) expect(await each.scan(10)).toEqual([]);
    const [build] = await store.builds.begin(profiles);
    expect([build.name, await store.builds.reached(build)]).toEqual(['profiles@1-c', LOG_START]);
    await store.builds.fill(build, filling(0, 1, [['c', 1, { score: 3 }]]), async () => lease);
    await store.builds.switchTo([build], [lease], NOW);
    await store.commit([batch(1, 2, ['d', 2, { score: 4 }])], lease);
    expect(await there.checkpoints()).toMatchObject([{ position: at(2) }]);
    expect((await reading.find(range('by_score'))).map(({ id }) => id)).toEqual(['c', 'd']);
  });

  test('every process lists all live builds, also those that only another one opened', async () => {
    const { store } = await standing(open);
    expect(await (await open()).builds.listLive()).toEqual([{ name: 'profiles', version: 1 }]);
    await store.open({ ...profiles, name: 'others' });
    const names = (await (await open()).builds.listLive()).map(({ name }) => name);
    expect(names.sort()).toEqual(['others', 'profiles']);
  });

  test('starting over drops the replaced and the unfinished build', async () => {
    const { store, lease, fill } = await standing(open);
    const [unfinished] = await store.builds.begin(profiles);
    await fill(unfinished, 0, 1, [['b', 1, {}]]);
    await store.builds.startOver(profiles, lease, NOW);
    const [next] = await store.builds.begin(profiles);
    expect([unfinished.name, next.name]).toEqual(['profiles@1-b', 'profiles@1-d']);
    expect(await store.builds.reached(next)).toBe(LOG_START);
    await store.builds.sweep(NOW + 1);
    await store.builds.sweep(NOW + 1);
    expect(await store.builds.reached(unfinished)).toBe(LOG_START);
    await expect(store.builds.drop('profiles@1-c')).rejects.toThrow('is the live build');
  });

  test('a process without a lease cannot start over', async () => {
    const { store, collection, lease } = await standing(open);
    await store.release(lease);
    await expect(store.builds.startOver(profiles, lease, NOW)).rejects.toThrow(CommitConflict);
    expect(await store.checkpoints()).toMatchObject([{ position: at(2) }]);
    expect((await collection.scan(10)).map(({ id }) => id)).toEqual(['a']);
  });
}

function switching(open: Open<DocumentStore>): void {
  /** Returns a build at the position of the live one, with another document. */
  async function filled(open: Open<DocumentStore>) {
    const all = await standing(open);
    const [build] = await all.store.builds.begin(profiles);
    await all.fill(build, 0, 2, [['b', 2, { score: 2 }]]);
    const seize = () => all.store.seize('projector', 'rebuild', TTL_MS, NOW);
    return { ...all, build, seize };
  }

  test('a filled build goes live in a single write for readers and writers', async () => {
    const { store, collection, lease, build, seize } = await filled(open);
    const there = await open();
    const reading = await there.open(profiles);
    const held = await seize();
    await expect(store.commit([batch(2, 3)], lease)).rejects.toThrow(CommitConflict);
    await store.builds.switchTo([build], [held], NOW);
    expect([await store.checkpoints(), await there.checkpoints()]).toEqual([
      [expect.objectContaining({ position: at(2) })],
      [expect.objectContaining({ position: at(2) })],
    ]);
    for (const each of [collection, reading]) {
      expect((await each.scan(10)).map(({ id }) => id)).toEqual(['b']);
    }
    await store.commit([batch(2, 3, ['c', 3, {}])], held);
    expect((await reading.scan(10)).map(({ id }) => id)).toEqual(['b', 'c']);
  });

  test('a build goes live only at the position of the live one and with the lease', async () => {
    const { store, collection, lease, build, seize } = await filled(open);
    await store.commit([batch(2, 3)], lease);
    const held = await seize();
    await expect(store.builds.switchTo([build], [held], NOW)).rejects.toThrow(CommitConflict);
    await store.builds.fill(build, filling(2, 3, []), () => store.seize('fill', 'here', TTL_MS, NOW));
    await expect(store.builds.switchTo([build], [lease], NOW)).rejects.toThrow(CommitConflict);
    expect((await collection.scan(10)).map(({ id }) => id)).toEqual(['a']);
    await store.builds.switchTo([build], [held], NOW);
    await store.checkpoints();
    expect((await collection.scan(10)).map(({ id }) => id)).toEqual(['b']);
  });

  test('dropping a build that another process dropped succeeds', async () => {
    const { store, build, seize } = await filled(open);
    const there = await open();
    await there.open(profiles);
    await store.builds.switchTo([build], [await seize()], NOW);
    await store.builds.sweep(NOW + 1);
    await expect(there.builds.drop('profiles@1-a')).resolves.toBeUndefined();
    await expect(there.builds.sweep(NOW + 1)).resolves.toBeUndefined();
    expect((await store.builds.begin(profiles))[0].name).toBe('profiles@1-c');
  });

  test('a replaced build is kept for a while and dropped; the live one is never dropped', async () => {
    const { store, collection, build, seize } = await filled(open);
    await store.builds.switchTo([build], [await seize()], NOW);
    await store.builds.sweep(NOW);
    expect((await store.builds.begin(profiles))[0].name).toBe('profiles@1-c');
    await store.builds.sweep(NOW + 1);
    await store.builds.sweep(NOW + 1);
    await store.builds.drop('profiles@1-c');
    await store.builds.sweep(NOW + 1);
    await expect(store.builds.drop(build.name)).rejects.toThrow('is the live build');
    await store.checkpoints();
    expect((await collection.scan(10)).map(({ id }) => id)).toEqual(['b']);
    expect((await store.builds.begin(profiles))[0].name).toBe('profiles@1-c');
  });

  test('a lease is seized whether it is held or free', async () => {
    const store = await open();
    expect(await store.seize('projector', 'first', TTL_MS, NOW)).toEqual({ name: 'projector', epoch: 1 });
    const second = await store.seize('projector', 'second', TTL_MS, NOW);
    expect(second).toEqual({ name: 'projector', epoch: 2 });
    expect(await store.lease('projector', 'first', TTL_MS, NOW + TTL_MS - 1)).toBeNull();
    await store.release(second);
    expect(await store.seize('projector', 'third', TTL_MS, NOW)).toEqual({ name: 'projector', epoch: 3 });
  });

  test('a commit under several leases needs all of them', async () => {
    const { store, collection, lease } = await ready(open);
    const posts = await store.open({ ...profiles, name: 'posts' });
    const other = (await store.lease('posts', 'here', TTL_MS, NOW))!;
    const both = [
      batch(0, 1, ['a', 1, {}]),
      { ...batch(0, 1, ['p', 1, {}]), projection: { name: 'posts', version: 1 } },
    ];
    const stolen = await store.seize('posts', 'there', TTL_MS, NOW);
    await expect(store.commit(both, lease, other)).rejects.toThrow(CommitConflict);
    expect([await collection.get('a'), await posts.get('p')]).toEqual([undefined, undefined]);
    await store.commit(both, lease, stolen);
    expect(await posts.get('p')).toBeDefined();
  });
}
