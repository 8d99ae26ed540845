import { expect, test } from '@jest/globals';
import { ReactionHealthReader } from '#libs/documents/health.js';
import type { Event } from '#libs/kernel/event.js';
import { ClaimLost } from '#libs/domain/muse.js';
import { benches, until } from './bench.js';

const bench = benches();
const wordOf = ({ data }: Event) => (data as { claim: string }).claim;
const types = [ClaimLost.type];

test('a failing reaction is reported with its event and lag, and the others go on', async () => {
  const stores = bench();
  const words: string[] = [];
  let isMended = false;
  const poisoned = async (event: Event) => {
    if (wordOf(event) === 'poison' && !isMended) throw new Error('no poison here');
  };
  const react = async () => undefined;
  const reactions = ['poisoned', 'well'].map(name => ({ name, types, react }));
  const health = new ReactionHealthReader(stores.store, stores.log, reactions);
  const states = async () => health.states(await stores.log.head());
  await stores.say('a word', 'poison', 'another');
  await stores.react('poisoned', poisoned);
  await stores.react('well', async event => void words.push(wordOf(event)));
  await until(async () => (await states())[0]!.state === 'failing');
  const [failing, well] = await states();
  expect(failing).toMatchObject({ name: 'poisoned', lag: 3, reason: expect.stringContaining(': no poison here') });
  expect(failing!.reason).toMatch(/^ClaimLost \S+ at position 0+2: /);
  await until(() => words.length === 3);
  await until(async () => (await states())[1]!.lag === 0);
  expect(well).toMatchObject({ name: 'well', state: 'running' });
  isMended = true;
  await until(async () => (await states())[0]!.state === 'running');
  expect((await states())[0]).toMatchObject({ lag: 0, state: 'running' });
});

test('a reaction that failed once is not reported, and its failure is logged once', async () => {
  const stores = bench();
  const health = new ReactionHealthReader(stores.store, stores.log, [
    { name: 'slow', types, react: async () => undefined },
  ]);
  const states = async () => health.states(await stores.log.head());
  let failures = 0;
  await stores.say('a word');
  await stores.react('slow', async () => {
    if ((failures += 1) < 2) throw new Error('not now');
  });
  await until(async () => failures === 2 && (await states())[0]!.lag === 0);
  expect((await states())[0]).not.toHaveProperty('reason');
  expect(stores.errors).toHaveLength(1);
});
