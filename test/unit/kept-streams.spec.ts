import { expect, test } from '@jest/globals';
import { Muse } from '#libs/streams/muse.js';
import { source } from '#libs/event-log/journal.js';
import { storyEvents } from '../vectors/event-samples.js';
import { Desk } from './desk.js';

const registered = storyEvents().find(({ type }) => type === 'Registered')!;
const { revision: _revision, position: _position, ...event } = registered;
const muse = source(event.stream, Muse);

async function opened() {
  const desk = new Desk();
  await desk.journal.append(event.stream, 'none', [event]);
  return desk;
}

const nameOf = async ({ journal }: Desk) => (await journal.load(muse)).events[0]!.data as { name: string | null };

test('a stream that was loaded shows what was appended since', async () => {
  const desk = await opened();
  await desk.journal.load(muse);
  await desk.journal.append(event.stream, 0, [{ ...event, id: 'another' }]);
  const { events, revision } = await desk.journal.load(muse);
  expect([events.map(({ id }) => id), revision]).toEqual([[event.id, 'another'], 1]);
});

test('what was opened is not kept when the key is destroyed', async () => {
  const desk = await opened();
  expect((await nameOf(desk)).name).toBe((event.data as { name: string }).name);
  await desk.keys.destroy(event.actor);
  expect((await nameOf(desk)).name).toBeNull();
});

test('an event that was just written is the one that will be read, also where its key is gone', async () => {
  const desk = new Desk();
  await desk.keys.destroy(event.actor);
  const [written] = await desk.journal.append(event.stream, 'none', [event]);
  const [read] = await desk.journal.read(event.stream);
  expect(written).toEqual(read);
  expect((written!.data as { name: string | null }).name).toBeNull();
});

test('an event that was just written equals the one that is read', async () => {
  const desk = new Desk();
  const [written] = await desk.journal.append(event.stream, 'none', [event]);
  expect(written).toEqual((await desk.journal.read(event.stream))[0]);
});
