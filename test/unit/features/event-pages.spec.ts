import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fold } from '#libs/documents/fold.js';
import { EventPages } from '#libs/features/events-feed/event-pages.js';
import { EventsOfMuse } from '#libs/features/events-feed/events-of-muse.js';
import { type Position, LOG_START, type StoredEvent } from '#libs/kernel/event.js';
import { defineEvent } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { MuseEvents } from '#libs/features/events-feed/views/muse-events.js';
import { asEvents } from '../../given.js';
import { DocumentsBench } from '../documents/bench.js';

const [ANN, BEN, NOBODY] = ['agent_ann0000000', 'agent_ben0000000', 'agent_nobody0000'];
const Whispered = defineEvent(
  'Whispered',
  'It happened.',
  { to: f.clear(f.museId), text: f.clear(f.text) },
  { privateType: true },
);
const EVENTS = 230;
const LEASE_MS = 60_000;

let bench: DocumentsBench;
beforeAll(async () => {
  (EVENT_TYPES as Map<string, unknown>).set(Whispered.type, Whispered);
  bench = new DocumentsBench();
  for (let n = 0; n < EVENTS; n += 1) await append(n);
});
afterAll(async () => {
  (EVENT_TYPES as Map<string, unknown>).delete(Whispered.type);
  await bench.end();
});

/** Mixes events by Ann, events that name her, private events and events of others. */
async function append(n: number): Promise<void> {
  const kinds = [
    { stream: 'shared', actor: ANN, fact: { type: 'Said', version: 1, data: { n } } },
    { stream: 'shared', actor: BEN, fact: { type: 'Sung', version: 1, data: { n } } },
    { stream: `own-${n}`, actor: BEN, fact: { type: 'Named', version: 1, data: { to: ANN, by: BEN } } },
    { stream: `whisper-${n % 4}`, actor: ANN, fact: Whispered({ to: BEN, text: 'hush' }) },
    { stream: 'muse-ann', actor: ANN, fact: { type: 'Said', version: 1, data: { muse_id: ANN, n } } },
    { stream: `other-${n % 3}`, actor: 'service', fact: { type: 'Said', version: 1, data: { list: [ANN] } } },
  ];
  // A mixed order, so that kinds of events follow each other in every way.
  const { stream, actor, fact } = kinds[(n * n + 3 * n + (n >> 2)) % kinds.length]!;
  const [event] = asEvents([fact], stream);
  await bench.log.append(stream, 'any', [{ ...event!, id: `event-${n}`, actor } as never]);
}

/** Pages of a log whose index has reached a position. */
async function pagesAt(reached: Position): Promise<EventPages> {
  const own = new DocumentsBench();
  opened.push(own);
  const { log } = bench;
  const models = own.models([MuseEvents as never]);
  await models.open();
  const lease = (await own.store.lease('projector', 'test', LEASE_MS, own.clock.now()))!;
  const events = log.events.filter(({ position }) => position <= reached);
  const documents = fold(MuseEvents, events as never, new Map());
  await own.store.commit([{ projection: MuseEvents, documents, from: LOG_START, to: reached }], lease);
  return new EventPages(log, new EventsOfMuse(log, models));
}
const opened: DocumentsBench[] = [];
afterAll(async () => void (await Promise.all(opened.map(each => each.end()))));

const ALL = { types: undefined, stream: undefined, museId: undefined };
const isWhispered = ({ type }: StoredEvent) => type === Whispered.type;
const names = ({ actor, data }: StoredEvent, muse: string) =>
  actor === muse || JSON.stringify(data).includes(`"${muse}"`);
const FILTERS = [
  ['everything', ALL, () => true],
  ['some types', { ...ALL, types: ['Said', 'Whispered'] }, ({ type }) => ['Said', 'Whispered'].includes(type)],
  ['a muse', { ...ALL, museId: ANN }, event => !isWhispered(event) && names(event, ANN)],
  ['another muse', { ...ALL, museId: BEN }, event => !isWhispered(event) && names(event, BEN)],
  ['the service', { ...ALL, museId: 'service' }, ({ actor }) => actor === 'service'],
  ['a muse and a type', { ...ALL, museId: ANN, types: ['Named'] }, e => e.type === 'Named'],
  ['a muse and a private type', { ...ALL, museId: ANN, types: ['Whispered'] }, () => false],
  ['a muse with nothing in the log', { ...ALL, museId: NOBODY }, () => false],
  ['a stream', { ...ALL, stream: 'shared' }, ({ stream }) => stream === 'shared'],
  ['a short stream', { ...ALL, stream: 'own-9' }, ({ stream }) => stream === 'own-9'],
  ['a stream that is not there', { ...ALL, stream: 'nothing' }, () => false],
  ['a stream of a private type', { ...ALL, stream: 'whisper-1' }, () => false],
  ['a stream and a type', { ...ALL, stream: 'shared', types: ['Sung'] }, e => e.type === 'Sung'],
  ['a stream and a muse', { ...ALL, stream: 'shared', museId: ANN }, e => e.stream === 'shared' && names(e, ANN)],
] as const satisfies readonly (readonly [string, object, (event: StoredEvent) => boolean])[];

const idsOf = (events: readonly StoredEvent[]) => events.map(({ id }) => id);

describe.each([
  ['contains nothing', 0],
  ['lags by many events', 77],
  ['lags by one event', EVENTS - 1],
  ['contains everything', EVENTS],
])('with an index that %s', (_how, count) => {
  let pages: EventPages;
  let all: readonly StoredEvent[];
  beforeAll(async () => {
    all = bench.log.events;
    pages = await pagesAt(all[count - 1]?.position ?? LOG_START);
  });

  test.each(FILTERS)('pages by %s have no gaps and end at the head', async (what, filter, has) => {
    const wanted = idsOf(all.filter(has));
    expect(wanted.length > 0).toBe(!/nothing|not there|private/.test(what));
    for (const limit of [3, 1_000]) {
      const ids: string[] = [];
      for (let after = LOG_START; ;) {
        const { events, next } = await pages.readAfter(after, limit, filter);
        expect(next >= after && events.length <= limit).toBe(true);
        ids.push(...idsOf(events));
        if (next === after) break;
        after = next;
      }
      expect(ids).toEqual(wanted);
    }
    expect((await pages.readAfter(LOG_START, 1_000, filter)).next).toBe(all.at(-1)!.position);
  });

  test.each(FILTERS)('a page by %s starts after any position', async (_what, filter, has) => {
    for (let at = 0; at < EVENTS; at += 31) {
      const after = all[at]!.position;
      const { events } = await pages.readAfter(after, 5, filter);
      expect(idsOf(events)).toEqual(idsOf(all.slice(at + 1).filter(has)).slice(0, 5));
    }
  });
});

test('a page says how many events its filter left out', async () => {
  const { events } = bench.log;
  const pages = await pagesAt(events.at(-1)!.position);
  const leftOut = async (filter: object) => {
    const page = await pages.readAfter(LOG_START, 1_000, { ...ALL, ...filter });
    return [page.events.length, page.leftOut];
  };
  const count = (has: (event: StoredEvent) => boolean) => events.filter(has).length;
  const [sung, shared] = [count(({ type }) => type === 'Sung'), count(({ stream }) => stream === 'shared')];
  expect(await leftOut({})).toEqual([EVENTS, 0]);
  expect(await leftOut({ types: ['Sung'] })).toEqual([sung, EVENTS - sung]);
  expect(await leftOut({ types: ['Nothing'] })).toEqual([0, EVENTS]);
  expect(await leftOut({ stream: 'shared', types: ['Sung'] })).toEqual([sung, shared - sung]);
  expect((await leftOut({ museId: ANN, types: ['Nothing'] }))[1]).toBeGreaterThan(0);
});

test('filters by muse and stream use the index instead of scanning the log', async () => {
  const pages = await pagesAt(bench.log.events.at(-1)!.position);
  const readAll = bench.log.readAll.bind(bench.log);
  let looked = 0;
  bench.log.readAll = async (...args) => {
    const page = await readAll(...args);
    looked += page.events.length;
    return page;
  };
  for (const filter of [{ museId: ANN }, { museId: NOBODY }, { stream: 'shared' }, { stream: 'nothing' }])
    await pages.readAfter(LOG_START, 1_000, { ...ALL, ...filter });
  bench.log.readAll = readAll;
  expect(looked).toBe(0);
});

test('an index document holds at most a hundred events, and no private type', () => {
  const many = Array.from({ length: 1_000 }, (_, n) => ({
    ...bench.log.events[0]!,
    position: String(n).padStart(20, '0'),
  }));
  const documents = fold(MuseEvents, many as never, new Map());
  const sizes = documents.map(({ body }) => (body!['events'] as unknown[]).length);
  expect([Math.max(...sizes), sizes.length]).toEqual([100, 10]);
  const whispers = bench.log.events.filter(isWhispered);
  expect(whispers.length).toBeGreaterThan(0);
  expect(fold(MuseEvents as never, whispers as never, new Map())).toEqual([]);
});

test('ends a page early if its events hold too many characters', async () => {
  const own = new DocumentsBench();
  opened.push(own);
  const long = 'x'.repeat(60_000);
  for (let n = 0; n < 150; n += 1) {
    const [event] = asEvents([{ type: 'Said', version: 1, data: { muse_id: ANN, long } }], 'long');
    await own.log.append('long', 'any', [{ ...event!, id: `long-${n}`, actor: ANN } as never]);
  }
  const models = own.models([MuseEvents as never]);
  await models.open();
  const pages = new EventPages(own.log, new EventsOfMuse(own.log, models));
  for (const filter of [ALL, { ...ALL, museId: ANN }, { ...ALL, stream: 'long' }]) {
    const first = await pages.readAfter(LOG_START, 1_000, filter);
    const second = await pages.readAfter(first.next, 1_000, filter);
    const third = await pages.readAfter(second.next, 1_000, filter);
    expect([first, second, third].map(({ events }) => events.length)).toEqual([67, 67, 16]);
    expect(first.next).toBe(first.events.at(-1)!.position);
  }
});
