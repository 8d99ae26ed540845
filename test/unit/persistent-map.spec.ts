import { expect, test } from '@jest/globals';
import { PersistentMap } from '#libs/kernel/persistent-map.js';

const mapOf = (entries: readonly (readonly [string, number])[]) =>
  entries.reduce((map, [key, value]) => map.with(key, value), PersistentMap.empty<string, number>());

/** Keys in mixed order, some of them duplicated. */
const entries = Array.from({ length: 2_000 }, (_, n) => [`key ${(n * 7_919) % 1_500}`, n] as const);

test('has the entries of a Map', () => {
  const [own, map] = [mapOf(entries), new Map(entries)];
  expect(own.size).toBe(map.size);
  for (const [key, value] of map) expect([own.get(key), own.has(key)]).toEqual([value, true]);
  expect([own.get('key'), own.has('key'), own.has('')]).toEqual([undefined, false, false]);
  expect([...own]).toEqual([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
});

test('does not change when another map is derived from it', () => {
  const before = mapOf(entries.slice(0, 1_000));
  const shown = [...before];
  mapOf(entries).with('key 1', -1);
  before.with('key 1', -1).with('another', 1);
  expect([[...before], before.size]).toEqual([shown, shown.length]);
});

test('equals a map built from the same entries in another order', () => {
  const distinct = [...new Map(entries)];
  expect(mapOf(distinct.toReversed())).toEqual(mapOf(distinct));
  expect(mapOf(distinct.slice(1))).not.toEqual(mapOf(distinct));
});

test('orders numbers by value', () => {
  const map = [100, 9, 10, 1].reduce((map, key) => map.with(key, true), PersistentMap.empty<number, true>());
  expect([...map].map(([key]) => key)).toEqual([1, 9, 10, 100]);
});

test('removing entries gives the map built without them', () => {
  const distinct = [...new Map(entries)];
  const gone = distinct.slice(0, 700);
  const left = gone.reduce((map, [key]) => map.without(key), mapOf(distinct));
  expect(left).toEqual(mapOf(distinct.slice(700)));
  expect([left.size, left.without('never there')]).toEqual([distinct.length - 700, left]);
});
