import { expect, test } from '@jest/globals';
import { Muse } from '#libs/domain/muse.js';
import { createStreamSource } from '#libs/event-log/journal.js';
import { storyEvents } from '../vectors/event-samples.js';
import { InMemoryStores } from './in-memory-stores.js';

const registered = storyEvents().find(({ type }) => type === 'Registered')!;
const { revision: _revision, position: _position, ...event } = registered;
const muse = createStreamSource(event.stream, Muse);

async function opened() {
  const stores = new InMemoryStores();
  await stores.journal.append(event.stream, 'none', [event]);
  return stores;
}

const nameOf = async ({ journal }: InMemoryStores) =>
  (await journal.load(muse)).state as { readonly name?: string | null };

test('a cached stream includes later appends', async () => {
  const stores = await opened();
  await stores.journal.load(muse);
  await stores.journal.append(event.stream, 0, [{ ...event, id: 'another' }]);
  const { ids, revision, position } = await stores.journal.load(muse);
  expect([ids.revision(event.id), ids.revision('another'), revision]).toEqual([0, 1, 1]);
  expect(position).toBe(await stores.log.head());
});

test('a loaded stream does not change when events are appended', async () => {
  const stores = await opened();
  const before = await stores.journal.load(muse);
  await stores.journal.append(event.stream, 0, [{ ...event, id: 'another' }]);
  const { ids } = await stores.journal.load(muse);
  expect([before.ids.revision('another'), before.ids.size]).toEqual([undefined, 1]);
  expect([ids.revision('another'), ids.size]).toEqual([1, 2]);
});

test('caches a stream separately for each fold', async () => {
  const stores = await opened();
  const types = { initial: [] as string[], evolve: (all: string[], { type }: { type: string }) => [...all, type] };
  await stores.journal.load(muse);
  expect((await stores.journal.load(createStreamSource(event.stream, types))).state).toEqual(['Registered']);
  expect((await stores.journal.load(muse)).state.status).toBe('registered');
});

test('a cached stream loses personal data when its key is destroyed', async () => {
  const stores = await opened();
  expect((await nameOf(stores)).name).toBe((event.data as { name: string }).name);
  await stores.keys.destroy(event.actor);
  expect((await nameOf(stores)).name).toBeNull();
});

test('an append returns an event without personal data when its key is destroyed', async () => {
  const stores = new InMemoryStores();
  await stores.keys.destroy(event.actor);
  const [written] = await stores.journal.append(event.stream, 'none', [event]);
  const [read] = await stores.journal.read(event.stream);
  expect(written).toEqual(read);
  expect((written!.data as { name: string | null }).name).toBeNull();
});

test('an append returns the event as a later read returns it', async () => {
  const stores = new InMemoryStores();
  const [written] = await stores.journal.append(event.stream, 'none', [event]);
  expect(written).toEqual((await stores.journal.read(event.stream))[0]);
});
