import { expect, test } from '@jest/globals';
import { Codec } from '#libs/event-log/codec.js';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { MemoryVault } from '../doubles/memory-vault.js';
import { storyEvents } from '../vectors/event-samples.js';
import { WORKER } from '../vectors/event-story.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

const story = storyEvents();

async function bench() {
  const keys = new MuseKeys(new MemoryVault());
  const codec = new Codec(keys, EVENT_TYPES);
  const stored: StoredEvent[] = [];
  for (const { revision, position, ...event } of story)
    stored.push({ ...(await codec.seal(event)), revision, position });
  return { codec, keys, stored };
}

test('an event opened on read has the same values as an event opened at once', async () => {
  const { codec, stored } = await bench();
  const events = await codec.openKnownLazily(stored);
  expect(events).toHaveLength(story.length);
  // Twice: the second read returns cached values.
  for (const _time of [1, 2])
    expect(events.map(event => ({ ...event, data: { ...(event.data as JsonObject) } }))).toEqual(story);
});

test('a value that does not open throws when it is read, as do others of its key', async () => {
  const { codec, stored } = await bench();
  const at = story.findIndex(({ type, actor }) => type === 'Registered' && actor === WORKER);
  const changed = { ...stored[at]!, data: { ...(stored[at]!.data as JsonObject), name: { sealed: 'AAAA' } } };
  const [event] = await codec.openKnownLazily([changed]);
  const data = event!.data as JsonObject;
  expect(data['muse_id']).toBe((story[at]!.data as JsonObject)['muse_id']);
  for (const _time of [1, 2])
    for (const name of ['headline', 'name'])
      expect(() => data[name]).toThrow(/cannot be read: about,.* cannot be decrypted/);
});

test('an erased value reads as null, and an unknown event is left out', async () => {
  const { codec, keys, stored } = await bench();
  const at = story.findIndex(({ type, actor }) => type === 'Registered' && actor === WORKER);
  await keys.destroy(WORKER);
  const events = await codec.openKnownLazily([stored[at]!, { ...stored[at]!, type: 'Sang' }]);
  expect(events.map(({ data }) => (data as JsonObject)['name'])).toEqual([null]);
});
