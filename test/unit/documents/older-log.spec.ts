import { expect, test } from '@jest/globals';
import type { Event } from '#libs/kernel/event.js';
import { benches, type DocumentsBench, seen, until } from './bench.js';

const LEASE_MS = 10_000;
const bench = benches();
const wordOf = ({ data }: Event) => (data as { claim: string }).claim;
const MADE_ANEW = /documents are ahead of the event log, .*; rebuilding them/;

/** Cuts the log as an older backup would, while the stores contain more. */
function restore(stores: DocumentsBench, events: number): void {
  stores.log.events.splice(events);
  stores.clock.advance(LEASE_MS);
}

test.each([0, 1])('rebuilds documents newer than the log with %i events, and reports it', async left => {
  const stores = bench();
  const [one, other] = [seen('one'), seen('other')];
  await stores.say('first', 'second', 'third');
  await (await stores.project([one, other])).waitForHead();
  await stores.stop();
  restore(stores, left);
  const models = await stores.project([one, other]);
  expect(stores.errors).toEqual([expect.stringMatching(MADE_ANEW)]);
  await stores.say('again');
  expect(await models.waitForHead()).toBe(true);
  for (const each of [one, other])
    expect((await models.of(each).get('all'))?.body.seen).toEqual([...['first'].slice(0, left), 'again']);
  expect((await models.states(await stores.log.head())).map(({ lag }) => lag)).toEqual([0, 0]);
  await stores.stop();
  await stores.project([one, other]);
  expect(stores.errors).toHaveLength(1);
});

test('a process that only reads waits for the rebuild', async () => {
  const stores = bench();
  const projection = seen('seen');
  await stores.say('first', 'second');
  await (await stores.project([projection])).waitForHead();
  await stores.stop();
  restore(stores, 1);
  const reader = stores.models([projection] as never);
  await reader.open();
  const waited: string[] = [];
  const filled = reader.waitUntilFilled(names => void waited.push(...names));
  await until(() => waited.length > 0);
  await stores.project([projection]);
  await filled;
  expect((await reader.of(projection).get('all'))?.body.seen).toEqual(['first']);
});

test('documents that contain the whole log are kept', async () => {
  const stores = bench();
  const projection = seen('seen');
  await stores.say('first', 'second');
  await (await stores.project([projection])).waitForHead();
  await stores.stop();
  const [begin] = await stores.store.builds.begin(projection);
  await stores.project([projection]);
  expect(stores.errors).toEqual([]);
  expect((await stores.store.builds.begin(projection as never))[0].name).toBe(begin.name);
});

test('a reaction that is ahead of the log handles all events again, then new ones', async () => {
  const stores = bench();
  const words: string[] = [];
  const tell = async (event: Event) => void words.push(wordOf(event));
  await stores.say('first', 'second');
  await stores.react('tell', tell);
  await until(() => words.length === 2);
  await stores.stop();
  restore(stores, 1);
  words.length = 0;
  await stores.react('tell', tell);
  await until(() => words.length === 1);
  await stores.say('again');
  await until(() => words.length === 2);
  expect(words).toEqual(['first', 'again']);
  expect(stores.errors).toEqual([expect.stringContaining('a reaction is ahead of the event log')]);
});
