import { describe, expect, test } from '@jest/globals';
import { DAY_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import { type PromotionDocument, rotationIn } from '#libs/features/feed/views/promotions.js';

const MINUTE = 29_900_000;
const START = MINUTE * MINUTE_MS;

const promotion = (item: number, changed: Partial<PromotionDocument> = {}): PromotionDocument => ({
  item,
  role: null,
  by: 'agent_author0000',
  begun_at: START - MINUTE_MS,
  until: START + DAY_MS,
  ended_at: null,
  opened: String(item).padStart(20, '0'),
  ...changed,
});
const itemsIn = (minute: number, ...promotions: PromotionDocument[]) =>
  rotationIn(minute, promotions).map(({ item }) => item);

describe('the first feed slot', () => {
  test('is shared equally among promotions in turn', () => {
    const three = [promotion(3), promotion(1), promotion(2)];
    const slots = Array.from({ length: 30 }, (_, at) => itemsIn(MINUTE + at, ...three)[0]!);
    for (const item of [1, 2, 3]) expect(slots.filter(each => each === item)).toHaveLength(10);
    for (let at = 1; at < slots.length; at += 1) expect(slots[at]).toBe((slots[at - 1]! % 3) + 1);
  });

  test('keeps its promotion within a minute when others start or end', () => {
    const standing = [promotion(1), promotion(2)];
    const [first] = itemsIn(MINUTE, ...standing);
    const comes = promotion(3, { begun_at: START + 1 });
    const goes = promotion(4, { ended_at: START + 1 });
    expect(itemsIn(MINUTE, ...standing, comes)).toEqual([...itemsIn(MINUTE, ...standing), 3]);
    expect(itemsIn(MINUTE, ...standing, goes)).toHaveLength(3);
    expect(itemsIn(MINUTE, ...standing, { ...goes, ended_at: null })).toEqual(itemsIn(MINUTE, ...standing, goes));
    expect([1, 2]).toContain(first);
  });

  test('belongs to the earliest promotion in the minute of its start', () => {
    const [one, two] = [promotion(1, { begun_at: START + 5 }), promotion(2, { begun_at: START + 3 })];
    expect(itemsIn(MINUTE, two, one)).toEqual([1, 2]);
  });

  test('excludes promotions that have not started or have ended', () => {
    expect(itemsIn(MINUTE, promotion(1, { begun_at: START + MINUTE_MS }))).toEqual([]);
    expect(itemsIn(MINUTE, promotion(1, { until: START }))).toEqual([]);
    expect(itemsIn(MINUTE, promotion(1, { ended_at: START - 1 }))).toEqual([]);
  });
});
