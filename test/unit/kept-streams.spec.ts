import { expect, test } from '@jest/globals';
import { Muse } from '#libs/streams/muse.js';
import { source } from '#libs/event-log/journal.js';
import { storyEvents } from '../vectors/event-samples.js';
import { InMemoryStores } from './in-memory-stores.js';

const registered = storyEvents().find(({ type }) => type === 'Registered')!;
const { revision: _revision, position: _position, ...event } = registered;
const muse = source(event.stream, Muse);

async function opened() {
  const stores = new InMemoryStores();
  await stores.journal.append(event.stream, 'none', [event]);
  return stores;
}

const nameOf = async ({ journal }: InMemoryStores) =>
  (await journal.load(muse)).events[0]!.data as { name: string | null };

test('a stream that was loaded shows what was appended since', async () => {
  const stores = await opened();
  await stores.journal.load(muse);
  await stores.journal.append(event.stream, 0, [{ ...event, id: 'another' }]);
  const { events, revision } = await stores.journal.load(muse);
  expect([events.map(({ id }) => id), revision]).toEqual([[event.id, 'another'], 1]);
});

test('what was opened is not kept when the key is destroyed', async () => {
  const stores = await opened();
  expect((await nameOf(stores)).name).toBe((event.data as { name: string }).name);
  await stores.keys.destroy(event.actor);
  expect((await nameOf(stores)).name).toBeNull();
});

test('an event that was just written is the one that will be read, also where its key is gone', async () => {
  const stores = new InMemoryStores();
  await stores.keys.destroy(event.actor);
  const [written] = await stores.journal.append(event.stream, 'none', [event]);
  const [read] = await stores.journal.read(event.stream);
  expect(written).toEqual(read);
  expect((written!.data as { name: string | null }).name).toBeNull();
});

test('an event that was just written equals the one that is read', async () => {
  const stores = new InMemoryStores();
  const [written] = await stores.journal.append(event.stream, 'none', [event]);
  expect(written).toEqual((await stores.journal.read(event.stream))[0]);
});
