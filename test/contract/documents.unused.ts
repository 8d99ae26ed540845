import { expect, test } from '@jest/globals';
import type { DocumentStore } from '#libs/documents/document-store.port.js';
import { LOG_START } from '#libs/kernel/event.js';
import type { Open } from './adapters.js';
import { at, batch, NOW, profiles, ready, TTL_MS } from './documents.samples.js';

const newer = { ...profiles, version: 2 };
/** After the end of every lease that is taken at `NOW`. */
const LATER = NOW + TTL_MS + 1;

/** Returns the store of an old version and that of a process after an upgrade. */
async function upgraded(open: Open<DocumentStore>) {
  const { store: before, collection } = await ready(open);
  const lease = (await before.lease('projector profiles@1', 'before', TTL_MS, NOW))!;
  await before.commit([batch(0, 2, ['a', 1, { score: 1 }])], lease);
  const store = await open();
  await store.open(newer);
  const left = async () => (await collection.scan(10).catch(() => [])).map(each => each.id);
  return { before, store, left };
}

export function unusedBuilds(open: Open<DocumentStore>): void {
  test('an unused version is dropped with its documents after its retirement period', async () => {
    const { before, store, left } = await upgraded(open);
    const [unfinished] = await before.builds.begin(profiles);
    await store.builds.retireUnused([newer], LATER, LATER);
    await store.builds.sweep(LATER);
    expect(await left()).toEqual(['a']);
    await store.builds.sweep(LATER + 1);
    expect(await left()).toEqual([]);
    expect(await store.builds.reached(unfinished)).toBe(LOG_START);
  });

  test('a process that returns to a retired version starts with an empty build', async () => {
    const { store } = await upgraded(open);
    await store.builds.retireUnused([newer], LATER, LATER);
    const back = await open();
    const collection = await back.open(profiles);
    expect(await collection.scan(10)).toEqual([]);
    expect(await back.checkpoints()).toMatchObject([{ name: 'profiles', version: 1, position: LOG_START }]);
    const lease = (await back.lease('projector profiles@1', 'back', TTL_MS, LATER))!;
    await back.commit([batch(0, 1, ['b', 1, { score: 2 }])], lease);
    await store.builds.sweep(LATER + 1);
    expect((await collection.scan(10)).map(({ id }) => id)).toEqual(['b']);
  });

  test('a version in use, being filled, named or not yet started is kept', async () => {
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
    await before.lease('projector profiles@1', 'before', TTL_MS, LATER);
    await stays();
    const waiting = await open();
    await waiting.open({ ...profiles, version: 3 });
    await store.builds.retireUnused([newer], LATER + TTL_MS, LATER);
    expect(await waiting.checkpoints()).toMatchObject([{ version: 3, position: LOG_START }]);
    const lease = (await waiting.lease('projector posts@1 profiles@3', 'waiting', TTL_MS, LATER))!;
    await waiting.commit([{ ...batch(0, 1), projection: { name: 'profiles', version: 3 } }], lease);
    expect(await waiting.checkpoints()).toMatchObject([{ position: at(1) }]);
  });

  test('an abandoned rebuild is dropped, and a resumed one is kept', async () => {
    const { store } = await upgraded(open);
    const [begun] = await store.builds.begin(newer);
    const filling = { documents: [], from: LOG_START, to: at(1), isGentle: true };
    const taken = (now: number) => store.lease('fill profiles@2', 'rebuild', TTL_MS, now);
    const lease = (await taken(NOW))!;
    await store.builds.fill(begun, filling, async () => lease);
    await store.builds.retireUnused([newer], LATER - TTL_MS, LATER);
    expect((await store.builds.begin(newer))[0].name).toBe(begun.name);
    await store.builds.retireUnused([newer], LATER, LATER);
    await store.builds.sweep(LATER + 1);
    expect(await store.builds.reached(begun)).toBe(LOG_START);
    const [next] = await store.builds.begin(newer);
    await taken(LATER);
    await store.builds.retireUnused([newer], LATER, LATER);
    expect((await store.builds.begin(newer))[0].name).toBe(next.name);
  });

  test('an aborted sweep leaves its rest to the next one', async () => {
    const { store, left } = await upgraded(open);
    await store.builds.retireUnused([newer], LATER, LATER);
    await store.builds.sweep(LATER + 1, AbortSignal.abort());
    expect(await left()).toEqual(['a']);
    await store.builds.sweep(LATER + 1);
    expect(await left()).toEqual([]);
  });
}
