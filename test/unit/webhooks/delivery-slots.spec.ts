import { expect, test } from '@jest/globals';
import { DeliverySlots } from '#libs/features/webhooks/delivery-slots.js';

const keys = (count: number, name = 'slow') => Array.from({ length: count }, (_, at) => `${name}${at}`);

test('slow and unknown receivers share ten of thirty slots', () => {
  const slots = new DeliverySlots();
  const quick = keys(40, 'quick');
  for (const key of quick) slots.recordResponse(key, 100);
  const slow = keys(40).filter(key => slots.acquire(key, key));
  expect(slow).toHaveLength(10);
  expect(quick.filter(key => slots.acquire(key, key))).toHaveLength(20);
  expect(slots.isFull).toBe(true);
});

test('a muse uses at most three slots, and a released slot is free again', () => {
  const slots = new DeliverySlots();
  const [first, ...others] = keys(5).map(key => slots.acquire(key, 'agent_worker0000'));
  expect(others.filter(each => each !== undefined)).toHaveLength(2);
  first!();
  expect(slots.acquire('another', 'agent_worker0000')).toBeDefined();
});

test('a host uses at most three slow slots, and fast receivers are not counted', () => {
  const slots = new DeliverySlots();
  const asking = (key: string) => slots.acquire(key, key) !== undefined && slots.canSendTo(key, 'slow.example');
  expect(keys(5).map(asking)).toEqual([true, true, true, false, false]);
  expect(slots.canSendTo('slow3', 'other.example')).toBe(true);
  expect(slots.canSendTo('slow0', 'slow.example')).toBe(true);
  slots.recordResponse('quick', 100);
  expect(asking('quick')).toBe(true);
  expect(slots.canSendTo('nobody', 'other.example')).toBe(false);
});

test('a receiver that becomes slow or fails is counted as slow again', () => {
  const slots = new DeliverySlots();
  for (const key of keys(10)) slots.acquire(key, key);
  for (const tookMs of [5_000, null]) {
    slots.recordResponse('one', 100);
    slots.recordResponse('one', tookMs);
    expect(slots.acquire('one', 'one')).toBeUndefined();
  }
  slots.recordResponse('one', 100);
  expect(slots.acquire('one', 'one')).toBeDefined();
});

test('a slot is awaited if it could serve a refused receiver, until the next pass', () => {
  const slots = new DeliverySlots();
  const muse = 'agent_worker0000';
  for (const key of keys(4)) slots.acquire(key, muse);
  expect([slots.isDemanded('slow0', muse), slots.isDemanded('another', 'agent_other00000')]).toEqual([true, false]);
  for (const key of keys(8, 'unknown')) slots.acquire(key, key);
  slots.recordResponse('quick', 100);
  expect(['unknown0', 'quick'].map(key => slots.isDemanded(key, key))).toEqual([true, false]);
  for (const key of keys(21, 'quick')) {
    slots.recordResponse(key, 100);
    slots.acquire(key, key);
  }
  expect(slots.isDemanded('quick', 'quick')).toBe(true);
  slots.resetDemand();
  expect(['unknown0', 'quick'].map(key => slots.isDemanded(key, key))).toEqual([false, false]);
});
