import { expect, test } from '@jest/globals';
import {
  type CommitBatch,
  CommitConflict,
  type DocumentStore,
  type Lease,
} from '#libs/documents/document-store.port.js';
import { LOG_START } from '#libs/kernel/event.js';
import type { Open } from './adapters.js';
import { at, batch, type Doc, NOW, profiles, ready, TTL_MS } from './documents.samples.js';

const NAMES = ['profiles', 'posts', 'roles'] as const;
type Name = (typeof NAMES)[number];

const step = (name: Name, from: number, to: number, ...documents: Doc[]): CommitBatch => ({
  ...batch(from, to, ...documents),
  projection: { name, version: 1 },
});
const together = (from: number, to: number, names: readonly Name[] = NAMES) => names.map(name => step(name, from, to));

/** Returns a store with three projections, and another instance that has opened them. */
async function three(open: Open<DocumentStore>) {
  const { store, lease } = await ready(open);
  const there = await open();
  for (const name of NAMES) for (const each of [store, there]) await each.open({ ...profiles, name });
  const commit = (...batches: CommitBatch[]) => store.commit(batches, lease);
  const standing = async () => {
    const [seen, seenThere] = [await store.checkpoints(), await there.checkpoints()];
    expect(seenThere).toEqual(expect.arrayContaining(seen));
    return Object.fromEntries(seen.map(({ name, position }) => [name, position === LOG_START ? 0 : Number(position)]));
  };
  return { store, there, lease, commit, standing };
}

export function sharedCheckpoints(open: Open<DocumentStore>): void {
  test('moves projections at an equal position together', async () => {
    const { store, there, commit, standing } = await three(open);
    await commit(...together(0, 3));
    await commit(step('profiles', 3, 5, ['a', 4, { score: 1 }]), ...together(3, 5, ['posts', 'roles']));
    expect(await standing()).toEqual({ profiles: 5, posts: 5, roles: 5 });
    for (const each of [store, there]) expect(await (await each.open(profiles)).checkpoint()).toBe(at(5));
    await expect(commit(...together(3, 6))).rejects.toThrow(CommitConflict);
    await expect(commit(step('roles', 3, 6))).rejects.toThrow(CommitConflict);
    expect(await standing()).toEqual({ profiles: 5, posts: 5, roles: 5 });
  });

  test('keeps the position of a lagging projection until it catches up', async () => {
    const { commit, standing } = await three(open);
    await commit(...together(0, 3));
    await commit(...together(3, 5, ['profiles', 'posts']));
    expect(await standing()).toEqual({ profiles: 5, posts: 5, roles: 3 });
    await commit(...together(5, 6, ['profiles', 'posts']), step('roles', 3, 4));
    expect(await standing()).toEqual({ profiles: 6, posts: 6, roles: 4 });
    await commit(...together(6, 8, ['profiles', 'posts']), step('roles', 4, 8));
    await commit(...together(8, 9));
    expect(await standing()).toEqual({ profiles: 9, posts: 9, roles: 9 });
    await commit(step('roles', 9, 10));
    expect(await standing()).toEqual({ profiles: 9, posts: 9, roles: 10 });
  });

  test('shares a checkpoint with projections that did not move', async () => {
    const { commit, standing } = await three(open);
    await commit(...together(0, 3, ['profiles', 'posts']));
    await commit(step('roles', 0, 3), ...together(3, 3, ['profiles', 'posts']));
    await commit(...together(3, 4));
    await commit(step('posts', 4, 4, ['p', 2, {}]));
    expect(await standing()).toEqual({ profiles: 4, posts: 4, roles: 4 });
  });

  test('keeps the position of a stopped projection until its next commit', async () => {
    const { store, lease, commit, standing } = await three(open);
    const stopped = async () =>
      (await store.checkpoints()).filter(each => each.stopped !== null).map(each => each.name);
    await commit(...together(0, 3));
    await store.stop({ name: 'posts', version: 1 }, 'it cannot take an event', lease);
    expect([await standing(), await stopped()]).toEqual([{ profiles: 3, posts: 3, roles: 3 }, ['posts']]);
    await commit(...together(3, 5, ['profiles', 'roles']));
    expect([await standing(), await stopped()]).toEqual([{ profiles: 5, posts: 3, roles: 5 }, ['posts']]);
    await commit(step('posts', 3, 5));
    await store.stop({ name: 'roles', version: 1 }, 'it cannot take one either', lease);
    await commit(...together(5, 6));
    expect([await standing(), await stopped()]).toEqual([{ profiles: 6, posts: 6, roles: 6 }, []]);
  });

  test('moves a rebuilt projection together with the others', async () => {
    const { store, there, lease, commit, standing } = await three(open);
    await commit(...together(0, 3));
    const filler = (await store.lease('fill', 'here', TTL_MS, NOW))!;
    const [build] = await store.builds.begin(profiles);
    const filling = { ...batch(0, 3, ['b', 2, { score: 2 }]), isGentle: true };
    await store.builds.fill(build, filling, async () => filler);
    await store.builds.switchTo([build], [lease], NOW);
    expect(await standing()).toEqual({ profiles: 3, posts: 3, roles: 3 });
    await store.commit([step('profiles', 3, 4, ['c', 4, {}]), ...together(3, 4, ['posts', 'roles'])], lease);
    await store.commit(together(4, 5), lease);
    expect(await standing()).toEqual({ profiles: 5, posts: 5, roles: 5 });
    for (const each of [store, there])
      expect((await (await each.open(profiles)).scan(9)).map(({ id }) => id)).toEqual(['b', 'c']);
    await store.builds.sweep(NOW + 1);
    await store.builds.startOver(profiles, lease, NOW);
    await store.commit(together(5, 6, ['posts', 'roles']), lease);
    expect(await standing()).toEqual({ profiles: 0, posts: 6, roles: 6 });
  });

  test('moves only the projections of the writer that commits', async () => {
    const { store, there, lease, commit, standing } = await three(open);
    await commit(...together(0, 3));
    const half = (await there.lease('another', 'there', TTL_MS, NOW))!;
    await there.commit(together(3, 7, ['roles', 'posts']), half);
    await store.commit([step('profiles', 3, 4)], lease);
    expect(await standing()).toEqual({ profiles: 4, posts: 7, roles: 7 });
    await store.commit([step('profiles', 4, 7)], lease);
    await commit(...together(7, 8));
    expect(await standing()).toEqual({ profiles: 8, posts: 8, roles: 8 });
  });

  const taking: [string, (store: DocumentStore, lease: Lease) => Promise<unknown>][] = [
    ['takes the expired lease', store => store.lease('projector', 'other', TTL_MS, NOW + TTL_MS)],
    ['seizes the lease', store => store.seize('projector', 'other', TTL_MS, NOW)],
    ['releases the lease', (store, lease) => store.release(lease)],
  ];
  test.each(taking)('refuses the next commit after another process %s', async (how, take) => {
    const { store, there, lease, commit, standing } = await three(open);
    for (const position of [0, 1, 2]) await commit(...together(position, position + 1));
    await take(how === 'releases the lease' ? store : there, lease);
    await expect(commit(...together(3, 4))).rejects.toThrow(CommitConflict);
    expect(await standing()).toEqual({ profiles: 3, posts: 3, roles: 3 });
  });

  test('resumes a projection that another process stopped between two commits', async () => {
    const { store, there, lease, commit } = await three(open);
    for (const position of [0, 1, 2]) await commit(...together(position, position + 1));
    await there.stop({ name: 'posts', version: 1 }, 'it cannot take an event', lease);
    await commit(...together(3, 4));
    expect((await store.checkpoints()).map(each => each.stopped)).toEqual([null, null, null]);
  });
}
