import { expect, test } from '@jest/globals';
import type { Event } from '#libs/kernel/event.js';
import { benches, until } from './bench.js';

const LEASE_MS = 10_000;
const bench = benches();
const wordOf = ({ data }: Event) => (data as { claim: string }).claim;

test('a reaction handles every event in order, old and new', async () => {
  const stores = bench();
  const words: string[] = [];
  await stores.say('one');
  await stores.react('tell', async event => void words.push(wordOf(event)));
  await stores.say('two', 'three');
  await until(() => words.length >= 3);
  expect(words).toEqual(['one', 'two', 'three']);
});

test('a failed reaction is retried before later events', async () => {
  const stores = bench();
  const words: string[] = [];
  let failures = 1;
  await stores.say('one', 'two');
  await stores.react('tell', async event => {
    words.push(wordOf(event));
    if (wordOf(event) === 'one' && (failures -= 1) >= 0) throw new Error('not now');
  });
  await until(() => words.includes('two'));
  expect(words).toEqual(['one', 'one', 'two']);
  expect(stores.errors).toEqual(['a reaction failed; retrying']);
});

test('a reaction runs again if its process ended before the checkpoint', async () => {
  const stores = bench();
  const words: string[] = [];
  const commit = stores.store.commit.bind(stores.store);
  stores.store.commit = () => Promise.reject(new Error('the process ended'));
  await stores.say('one');
  await stores.react('tell', async event => void words.push(wordOf(event)));
  await until(() => words.length === 1);
  await stores.stop();
  stores.store.commit = commit;
  stores.clock.advance(LEASE_MS);
  await stores.react('tell', async event => void words.push(wordOf(event)));
  await until(() => words.length === 2);
  expect(words).toEqual(['one', 'one']);
});

test('a reaction resumes from its checkpoint', async () => {
  const stores = bench();
  const words: string[] = [];
  const tell = async (event: Event) => void words.push(wordOf(event));
  await stores.say('one');
  const first = await stores.react('tell', tell);
  await until(() => words.length === 1);
  await first.stop();
  await stores.say('two');
  await stores.react('tell', tell);
  await until(() => words.length === 2);
  expect(words).toEqual(['one', 'two']);
});

test('only one of two runners of a reaction runs', async () => {
  const stores = bench();
  const words: string[] = [];
  const tell = async (event: Event) => void words.push(wordOf(event));
  await stores.react('tell', tell);
  await stores.react('tell', tell);
  await stores.say('one', 'two', 'three');
  await until(() => words.length >= 3);
  expect(words).toEqual(['one', 'two', 'three']);
});

test('a runner that stops after a failure releases its lease', async () => {
  const stores = bench();
  const words: string[] = [];
  await stores.say('one');
  await stores.react('tell', () => Promise.reject(new Error('not now')));
  await until(() => stores.errors.length > 0);
  await stores.stop();
  await stores.react('tell', async event => void words.push(wordOf(event)));
  await until(() => words.length === 1);
  expect(words).toEqual(['one']);
});

test('a reaction resumes from a checkpoint whose response was lost', async () => {
  const stores = bench();
  const words: string[] = [];
  const commit = stores.store.commit.bind(stores.store);
  let lost = 1;
  stores.store.commit = async (batches, lease) => {
    await commit(batches, lease);
    if ((lost -= 1) === 0) throw new Error('the answer was lost');
  };
  await stores.react('tell', async event => void words.push(wordOf(event)));
  await stores.say('one');
  await until(() => stores.errors.length === 1);
  await stores.say('two');
  await until(() => words.length >= 2);
  expect(words).toEqual(['one', 'two']);
});
