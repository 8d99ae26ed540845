import { expect, test } from '@jest/globals';
import { Slots } from '#libs/webhooks/slots.js';

const keys = (count: number, name = 'slow') => Array.from({ length: count }, (_, at) => `${name}${at}`);

test('receivers that are slow or not known take ten of thirty places, and never those of the others', () => {
  const slots = new Slots();
  const quick = keys(40, 'quick');
  for (const key of quick) slots.answered(key, 100);
  const slow = keys(40).filter(key => slots.take(key, key));
  expect(slow).toHaveLength(10);
  expect(quick.filter(key => slots.take(key, key))).toHaveLength(20);
  expect(slots.isFull).toBe(true);
});

test('one muse has three places at most, and a place that is given back is free', () => {
  const slots = new Slots();
  const [first, ...others] = keys(5).map(key => slots.take(key, 'agent_worker0000'));
  expect(others.filter(each => each !== undefined)).toHaveLength(2);
  first!();
  expect(slots.take('another', 'agent_worker0000')).toBeDefined();
});

test('three of the slow places are one host’s at most, whosever they are, and quick ones are not counted', () => {
  const slots = new Slots();
  const asking = (key: string) => slots.take(key, key) !== undefined && slots.mayAsk(key, 'slow.example');
  expect(keys(5).map(asking)).toEqual([true, true, true, false, false]);
  expect(slots.mayAsk('slow3', 'other.example')).toBe(true);
  expect(slots.mayAsk('slow0', 'slow.example')).toBe(true);
  slots.answered('quick', 100);
  expect(asking('quick')).toBe(true);
  expect(slots.mayAsk('nobody', 'other.example')).toBe(false);
});

test('who was quick and is slow now, or fails, is among the slow again', () => {
  const slots = new Slots();
  for (const key of keys(10)) slots.take(key, key);
  for (const tookMs of [5_000, null]) {
    slots.answered('one', 100);
    slots.answered('one', tookMs);
    expect(slots.take('one', 'one')).toBeUndefined();
  }
  slots.answered('one', 100);
  expect(slots.take('one', 'one')).toBeDefined();
});

test('a slot is waited for by whom what is in its way leaves out, until everybody is asked for anew', () => {
  const slots = new Slots();
  const muse = 'agent_worker0000';
  for (const key of keys(4)) slots.take(key, muse);
  expect([slots.isAwaited('slow0', muse), slots.isAwaited('another', 'agent_other00000')]).toEqual([true, false]);
  for (const key of keys(8, 'unknown')) slots.take(key, key);
  slots.answered('quick', 100);
  expect(['unknown0', 'quick'].map(key => slots.isAwaited(key, key))).toEqual([true, false]);
  for (const key of keys(21, 'quick')) {
    slots.answered(key, 100);
    slots.take(key, key);
  }
  expect(slots.isAwaited('quick', 'quick')).toBe(true);
  slots.beginLook();
  expect(['unknown0', 'quick'].map(key => slots.isAwaited(key, key))).toEqual([false, false]);
});
