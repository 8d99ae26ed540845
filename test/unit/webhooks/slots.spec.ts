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
