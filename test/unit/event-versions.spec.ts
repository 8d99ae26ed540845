import { describe, expect, test } from '@jest/globals';
import { openPublicEvent, type PublicEvent } from '#libs/audit/public-event.js';
import { after } from './views.js';
import { Compile } from 'typebox/compile';
import { Codec } from '#libs/event-log/codec.js';
import { Journal } from '#libs/event-log/journal.js';
import { openWithoutKeys } from '#libs/event-log/upcast.js';
import { PublicEvents } from '#libs/features/public-events/views/public-events.js';
import type { Event, StoredEvent } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { eventDigest, feedEventDigest } from '#libs/platform/signing/event-digest.js';
import {
  type AnyEventType,
  type EarlierVersion,
  defineEarlierVersion,
  defineEvent,
  type EventOf,
  isEventOf,
  defineStream,
} from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import type { Projection } from '#libs/kernel/projection.js';
import { asEvents } from '../given.js';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import { SAMPLE_VAULT } from '../vectors/event-samples.js';
import { InMemoryStores } from './in-memory-stores.js';

/** Version 1: public title, price in dollars. */
const FIRST = { song: f.clear(f.slug), title: f.personal(f.text), wish: f.private(f.text), price: f.clear(f.integer) };
/** Version 2: amount in smallest units. */
const SECOND = { song: f.clear(f.slug), title: f.personal(f.text), wish: f.private(f.text), amount: f.clear(f.amount) };
/** Version 3: name instead of title, and a flag. */
const THIRD = {
  song: f.clear(f.slug),
  name: f.personal(f.text),
  wish: f.private(f.text),
  amount: f.clear(f.amount),
  loud: f.clear(f.flag),
};

const fromFirst = defineEarlierVersion(FIRST, ({ price, ...kept }) => ({ ...kept, amount: `${price}000000` }));
const fromSecond = defineEarlierVersion(SECOND, ({ title, ...kept }) => ({
  ...kept,
  name: title,
  loud: title === null || title.endsWith('!'),
}));

const SungFirst = defineEvent('SongSung', 'It happened.', FIRST);
const Sung = defineEvent('SongSung', 'It happened.', THIRD, { earlier: [fromFirst, fromSecond] });
const knowing = (type: AnyEventType) => new Map([...EVENT_TYPES, ['SongSung', type] as const]);

const SONG = { song: 'a-song', title: 'Hello!', wish: 'Once more', price: 5 };
const NEWEST = { song: 'a-song', name: 'Hello!', wish: 'Once more', amount: '5000000', loud: true };

/** Log written by version 1, read by the current build. */
async function sung(change: (stored: StoredEvent) => object = () => ({})) {
  const stores = new InMemoryStores();
  const before = new Journal(stores.log, new Codec(stores.keys, knowing(SungFirst)));
  await before.append('song-a-song', 'none', asEvents([SungFirst(SONG)], 'song-a-song'));
  const [written] = stores.log.events as [StoredEvent];
  const stored = { ...written, ...change(written) };
  stores.log.events[0] = stored;
  const codec = new Codec(stores.keys, knowing(Sung));
  return { stores, stored, codec, journal: new Journal(stores.log, codec) };
}

describe('an event of an earlier version', () => {
  test('is read in the newest version, through every version between', async () => {
    const { journal } = await sung();
    const [read] = await journal.read('song-a-song');
    expect(read).toMatchObject({ type: 'SongSung', version: 3, data: NEWEST });
    expect(Object.keys(read!.data as object).sort()).toEqual(Object.keys(NEWEST).sort());
    expect((await journal.readAll('0', 10)).events).toEqual([read]);
  });

  test('stays in the log as written, with its digest', async () => {
    const { journal, stored, stores } = await sung();
    const digest = eventDigest(stored);
    await journal.read('song-a-song');
    const { stored: page } = await journal.readAll('0', 10);
    expect(page.map(eventDigest)).toEqual([digest]);
    expect(stores.log.events).toEqual([stored]);
    expect(stored).toMatchObject({ version: 1, data: { price: 5 } });
  });

  test('reaches streams and projections only in the newest version', async () => {
    const { journal } = await sung();
    const Song = defineStream('song', {
      events: [Sung],
      key: (slug: string) => slug,
      initial: [] as EventOf<typeof Sung>['data'][],
      evolve: (songs, { data }) => [...songs, data],
    });
    expect((await journal.load(Song.source('a-song'))).state).toEqual([NEWEST]);
    const names: Projection<{ name: string | null }> = {
      name: 'songs',
      version: 1,
      types: [Sung.type],
      indexes: {},
      keys: () => ['all'],
      evolve: (_before, event) => ({ name: isEventOf(Sung, event) ? event.data.name : 'of another type' }),
    };
    const { events } = await journal.readAll('0', 10);
    expect(after(names as never, events).get('all')?.body).toEqual({ name: 'Hello!' });
  });

  test('is shown by the feed in its stored version, with a matching digest', async () => {
    const { codec, stored } = await sung();
    const [shown] = await new PublicEvents(
      codec,
      async () => new Map(),
      () => undefined,
    ).of([stored]);
    const { title, wish } = stored.data as JsonObject;
    expect(shown).toMatchObject({
      version: 1,
      data: { title: { ...(title as object), value: 'Hello!' }, wish, price: 5 },
    });
    expect(shown!['digest']).toBe(eventDigest(stored));
    expect(feedEventDigest(shown as never)).toBe(eventDigest(stored));
    const replayed = openPublicEvent(shown as unknown as PublicEvent, knowing(Sung));
    expect(replayed).toMatchObject({ version: 3, data: { ...NEWEST, wish: null } });
  });

  test('an event of an earlier version is read with nulls for erased values', async () => {
    const { stores, journal, stored } = await sung();
    await stores.keys.destroy(stored.actor);
    const [read] = await journal.read('song-a-song');
    expect(read!.data).toEqual({ ...NEWEST, name: null, wish: null });
    expect(openWithoutKeys(stored, knowing(Sung))!.data).toEqual(read!.data);
  });

  test('cannot be read if a value does not open, and others still can', async () => {
    const { journal } = await sung(({ data }) => ({ data: { ...(data as object), title: { sealed: 'AAAA' } } }));
    await journal.append('song-b', 'none', asEvents([Sung({ ...NEWEST, song: 'b' })], 'song-b'));
    const { events } = await journal.readAll('0', 10);
    expect(events.map(({ unreadable }) => unreadable)).toEqual([['title', 'wish'], undefined]);
    expect(() => events[0]!.data).toThrow('title,wish cannot be decrypted');
    expect(events[1]!.data).toEqual({ ...NEWEST, song: 'b' });
  });
});

test('a new event is checked only against the newest version', async () => {
  const { journal } = await sung();
  const write = (stream: string, event: Event) => journal.append(stream, 'none', [event]);
  const [old] = asEvents([{ ...SungFirst(SONG), version: 3 }], 'song-c');
  await expect(write('song-c', old!)).rejects.toThrow('SongSung does not match its schema');
  const [fresh] = asEvents([Sung(NEWEST)], 'song-d');
  const [stored] = await write('song-d', fresh!);
  expect(stored).toMatchObject({ version: 3, data: NEWEST });
  expect(isEventOf(Sung, stored!)).toBe(true);
});

test('an upcast that throws makes only its own event unreadable', async () => {
  const broken = defineEarlierVersion(FIRST, (): EventOf<typeof Sung>['data'] => {
    throw new Error('a bug');
  });
  const { stores } = await sung();
  const codec = new Codec(stores.keys, knowing(defineEvent('SongSung', 'It happened.', THIRD, { earlier: [broken] })));
  const [read] = await new Journal(stores.log, codec).read('song-a-song');
  expect(read!.unreadable).toEqual(['song', 'title', 'wish', 'price']);
  expect(() => read!.data).toThrow('cannot be read');
});

type Ends<E> = E extends EarlierVersion<EventOf<typeof Sung>['data']> ? 'in the newest version' : 'before it';

test('an upcast that does not end in the newest version does not compile', () => {
  const ends: [Ends<typeof fromFirst>, Ends<typeof fromSecond>] = ['before it', 'in the newest version'];
  expect(new Set(ends).size).toBe(2);
});

/** Golden sample of version 1, like those of the service's own types: never change it. */
const SAMPLE: { readonly event: StoredEvent; readonly digest: string } = {
  event: {
    id: 'bc7e2adc-6d89-8aa8-bee8-b1ff7745e37d',
    type: 'SongSung',
    version: 1,
    stream: 'song-a-song',
    at: 1795262400000,
    actor: 'service',
    cause: 'test',
    decided_by: 'test@1',
    based_on: {},
    authorization: { mode: 'service', reason: 'test' },
    data: {
      song: 'a-song',
      title: { sealed: 'vAUy373KDOTo-J6gJU2PuJReEzHrjJSSYveI9E48zW1d0VVI' },
      wish: { sealed: 'QadKxpQlEDMDRxg' },
      price: 5,
    },
    revision: 0,
    position: '00000000000000000001',
  },
  digest: '0207bf1e069f0ee38237e683b858ff18259681f640f2e98dcb3458b73d382756',
};

test('a golden sample of version 1 keeps its hash and reads in the newest version', async () => {
  const codec = new Codec(new MuseKeys(SAMPLE_VAULT), knowing(Sung));
  expect(eventDigest(SAMPLE.event)).toBe(SAMPLE.digest);
  const { data } = await codec.openAsWritten(SAMPLE.event);
  expect(data).toEqual(SONG);
  expect(Compile(Sung.versions[0]!.schema).Check(data)).toBe(true);
  const read = await codec.open(SAMPLE.event);
  expect(read).toMatchObject({ version: 3, data: NEWEST });
  expect(Compile(Sung.schema).Check(read.data)).toBe(true);
});
