import { expect, test } from '@jest/globals';
import type { Coordination } from '#libs/platform/coordination/port.js';
import { contract, coordinations, type Open } from './adapters.js';

const NOW = 1_700_000_000_000;
const END = NOW + 1_000;

contract('the shared state', coordinations, open => {
  values(open);
  changes(open);
  counters(open);
  ends(open);
});

function values(open: Open<Coordination>): void {
  test('a value is put only if absent, and later callers get the first one', async () => {
    const [here, there] = [await open(), await open()];
    expect(await here.get('nonce', NOW)).toBeUndefined();
    expect(await here.putIfAbsent('nonce', 'first', END, NOW)).toBeUndefined();
    expect(await there.putIfAbsent('nonce', 'second', END, NOW)).toBe('first');
    expect(await there.get('nonce', NOW)).toBe('first');
  });

  test('exactly one of many concurrent puts from two instances wins', async () => {
    const both = [await open(), await open()];
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => both[index % 2]!.putIfAbsent('nonce', `${index}`, END, NOW)),
    );
    expect(answers.filter(answer => answer === undefined)).toHaveLength(1);
    const winner = `${answers.indexOf(undefined)}`;
    expect(new Set(answers)).toEqual(new Set([undefined, winner]));
    expect(await both[1]!.get('nonce', NOW)).toBe(winner);
  });

  test('any text is a key and a value', async () => {
    const state = await open();
    for (const text of ['', 'für 猫 😀', 'a\0b', 'a\0c', '12', "'; --"]) {
      expect(await state.putIfAbsent(`key ${text}`, text, END, NOW)).toBeUndefined();
      expect(await state.get(`key ${text}`, NOW)).toBe(text);
      expect(await state.compareAndSet(`key ${text}`, text, `${text}!`, END, NOW)).toBe(true);
    }
  });
}

function changes(open: Open<Coordination>): void {
  test('a value is replaced or removed only while it is the expected one', async () => {
    const state = await open();
    await state.putIfAbsent('nonce', 'running', END, NOW);
    expect(await state.compareAndSet('nonce', 'other', 'spent', END, NOW)).toBe(false);
    expect(await state.compareAndSet('nonce', 'other', null, END, NOW)).toBe(false);
    expect(await state.compareAndSet('nonce', 'running', 'spent', END + 5, NOW)).toBe(true);
    expect(await state.get('nonce', END)).toBe('spent');
    expect(await state.compareAndSet('nonce', 'spent', null, END, NOW)).toBe(true);
    expect(await state.get('nonce', NOW)).toBeUndefined();
    expect(await state.compareAndSet('nonce', 'spent', 'x', END, NOW)).toBe(false);
  });

  test('exactly one of many concurrent replacements from two instances wins', async () => {
    const both = [await open(), await open()];
    await both[0]!.putIfAbsent('lease', 'free', END, NOW);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => both[index % 2]!.compareAndSet('lease', 'free', `${index}`, END, NOW)),
    );
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await both[0]!.get('lease', NOW)).toBe(`${answers.indexOf(true)}`);
  });
}

function counters(open: Open<Coordination>): void {
  test('additions from two instances are all counted, and each sum is returned once', async () => {
    const both = [await open(), await open()];
    const sums = await Promise.all(
      Array.from({ length: 100 }, (_, index) => both[index % 2]!.add('hits', 1, END, NOW)),
    );
    const inOrder = sums.map(({ sum }) => sum).sort((a, b) => a - b);
    expect(inOrder).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(await both[0]!.add('hits', -30, END, NOW)).toEqual({ sum: 70, endsAt: END });
    expect(await both[0]!.add('large', 2 ** 52, END, NOW)).toEqual({ sum: 2 ** 52, endsAt: END });
    expect(await both[0]!.add('large', 1, END, NOW)).toEqual({ sum: 2 ** 52 + 1, endsAt: END });
  });

  test('a counter ends at the time of its first addition and starts again', async () => {
    const state = await open();
    await state.add('hits', 5, END, NOW);
    expect(await state.add('hits', 5, END + 500, END - 1)).toEqual({ sum: 10, endsAt: END });
    expect(await state.add('hits', 5, END + 500, END)).toEqual({ sum: 5, endsAt: END + 500 });
    expect(await state.add('hits', 5, END + 900, END + 499)).toEqual({ sum: 10, endsAt: END + 500 });
    expect(await state.add('hits', 5, END + 900, END + 500)).toEqual({ sum: 5, endsAt: END + 900 });
  });

  test('a later addition with an earlier end shortens a counter, as after a clock jump', async () => {
    const state = await open();
    await state.add('hits', 5, END + 90_000_000, NOW);
    expect(await state.add('hits', 1, END, NOW)).toEqual({ sum: 6, endsAt: END });
    expect(await state.getCount('hits', NOW)).toEqual({ sum: 6, endsAt: END });
    expect(await state.getCount('hits', END)).toBeUndefined();
  });

  test('the sum of a counter is visible to every instance until it ends', async () => {
    const [here, there] = [await open(), await open()];
    expect(await there.getCount('hits', NOW)).toBeUndefined();
    await here.add('hits', 5, END, NOW);
    expect(await there.getCount('hits', END - 1)).toEqual({ sum: 5, endsAt: END });
    expect(await there.getCount('hits', END)).toBeUndefined();
  });
}

function ends(open: Open<Coordination>): void {
  test('an expired entry is treated as absent', async () => {
    const state = await open();
    await state.putIfAbsent('nonce', 'old', END, NOW);
    expect(await state.get('nonce', END - 1)).toBe('old');
    expect(await state.get('nonce', END)).toBeUndefined();
    expect(await state.compareAndSet('nonce', 'old', 'new', END + 9, END)).toBe(false);
    expect(await state.putIfAbsent('nonce', 'new', END + 9, END)).toBeUndefined();
    expect(await state.get('nonce', END + 8)).toBe('new');
  });

  test('sweeping removes only expired entries, up to a limit', async () => {
    const state = await open();
    for (let at = 0; at < 5; at += 1) await state.putIfAbsent(`old-${at}`, 'x', END, NOW);
    await state.putIfAbsent('kept', 'x', END + 1, NOW);
    expect(await state.sweep(END - 1, 10)).toBe(0);
    expect(await state.sweep(END, 3)).toBe(3);
    expect(await state.sweep(END, 3)).toBe(2);
    expect(await state.sweep(END, 3)).toBe(0);
    expect(await state.get('kept', END)).toBe('x');
  });

  test('values survive an orderly close', async () => {
    const state = await open();
    await state.putIfAbsent('nonce', 'x', END, NOW);
    await state.close();
    expect(await (await open()).get('nonce', NOW)).toBe('x');
  });
}
