import { expect, test } from '@jest/globals';
import type { DocumentStore } from '#libs/documents/port.js';
import { START } from '#libs/kernel/event.js';
import type { Open } from './adapters.js';
import { at, batch, NOW, profiles, ready, TTL_MS } from './documents.samples.js';

const newer = { ...profiles, version: 2 };
/** Behind the end of every lease that is taken at `NOW`. */
const LATER = NOW + TTL_MS + 1;

/** A version that was written once, as of before an upgrade, and the store of a process of the next one. */
async function upgraded(open: Open<DocumentStore>) {
  const { store: before, collection } = await ready(open);
  const lease = (await before.lease('profiles@1', 'before', TTL_MS, NOW))!;
  await before.commit([batch(0, 2, ['a', 1, { score: 1 }])], lease);
  const store = await open();
  await store.open(newer);
  const left = async () => (await collection.scan(10).catch(() => [])).map(each => each.id);
  return { before, store, left };
}

/** Builds that an upgrade has left behind. */
export function unusedBuilds(open: Open<DocumentStore>): void {
  test('what no process has kept since is dropped with all its documents, once it was retired long enough', async () => {
    const { before, store, left } = await upgraded(open);
    const [unfinished] = await before.builds.begin(profiles);
    await store.builds.retireUnused([newer], LATER, LATER);
    await store.builds.sweep(LATER);
    expect(await left()).toEqual(['a']);
    await store.builds.sweep(LATER + 1);
    expect(await left()).toEqual([]);
    expect(await store.builds.reached(unfinished)).toBe(START);
  });

  test('who comes back to a version that was retired begins with an empty build, which stays', async () => {
    const { store } = await upgraded(open);
    await store.builds.retireUnused([newer], LATER, LATER);
    const back = await open();
    const collection = await back.open(profiles);
    expect(await collection.scan(10)).toEqual([]);
    expect(await back.checkpoints()).toMatchObject([{ name: 'profiles', version: 1, position: START }]);
    const lease = (await back.lease('profiles@1', 'back', TTL_MS, LATER))!;
    await back.commit([batch(0, 1, ['b', 1, { score: 2 }])], lease);
    await store.builds.sweep(LATER + 1);
    expect((await collection.scan(10)).map(({ id }) => id)).toEqual(['b']);
  });

  test('what is kept, filled, named, or not kept by anybody yet stays', async () => {
    const { before, store, left } = await upgraded(open);
    const stays = async (than = newer) => {
      await store.builds.retireUnused([than], LATER, LATER);
      await store.builds.sweep(LATER + 1);
      expect(await left()).toEqual(['a']);
    };
    await stays(profiles);
    const filler = (await before.lease('fill profiles@1', 'rebuild', TTL_MS, LATER))!;
    await stays();
    await before.release(filler);
    await before.lease('profiles@1', 'before', TTL_MS, LATER);
    await stays();
    const waiting = await open();
    await waiting.open({ ...profiles, version: 3 });
    await store.builds.retireUnused([newer], LATER + TTL_MS, LATER);
    expect(await waiting.checkpoints()).toMatchObject([{ version: 3, position: START }]);
    const lease = (await waiting.lease('profiles@3', 'waiting', TTL_MS, LATER))!;
    await waiting.commit([{ ...batch(0, 1), projection: { name: 'profiles', version: 3 } }], lease);
    expect(await waiting.checkpoints()).toMatchObject([{ position: at(1) }]);
  });

  test('what a rebuild left unfinished for long is dropped, and what it went on with since is not', async () => {
    const { store } = await upgraded(open);
    const [begun] = await store.builds.begin(newer);
    const filling = { documents: [], from: START, to: at(1), isGentle: true };
    const taken = (now: number) => store.lease('fill profiles@2', 'rebuild', TTL_MS, now);
    const lease = (await taken(NOW))!;
    await store.builds.fill(begun, filling, async () => lease);
    await store.builds.retireUnused([newer], LATER - TTL_MS, LATER);
    expect((await store.builds.begin(newer))[0].name).toBe(begun.name);
    await store.builds.retireUnused([newer], LATER, LATER);
    await store.builds.sweep(LATER + 1);
    expect(await store.builds.reached(begun)).toBe(START);
    const [next] = await store.builds.begin(newer);
    await taken(LATER);
    await store.builds.retireUnused([newer], LATER, LATER);
    expect((await store.builds.begin(newer))[0].name).toBe(next.name);
  });

  test('a sweep that is ended leaves what it has not dropped to the next one', async () => {
    const { store, left } = await upgraded(open);
    await store.builds.retireUnused([newer], LATER, LATER);
    await store.builds.sweep(LATER + 1, AbortSignal.abort());
    expect(await left()).toEqual(['a']);
    await store.builds.sweep(LATER + 1);
    expect(await left()).toEqual([]);
  });
}
