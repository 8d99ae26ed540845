import { describe, expect, test } from '@jest/globals';
import { deliver } from '#libs/features/deliveries/deliver.js';
import { endUndeliveredHire, remindOfDelivery } from '#libs/features/hires/domain/deadline.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { HOUR_MS } from '#libs/kernel/clock.js';
import type { Fact } from '#libs/kernel/event.js';
import { NOW, stateOf } from '../../given.js';
import { decides, testDecisions, testRefusals } from './deciding.js';
import * as world from './worlds.js';

const { HIRE, ROLE, WORKER } = world;
const HOURS = 10;
const deliver_by = NOW + HOURS * HOUR_MS;
const hired = [world.hired({ deliver_by })];
const unread = [...hired, world.delivered(), world.told('DeliveryRead', { digest: null, reason: 'status' })];
const typesAfter = (decide: (hire: Hire, at: number) => readonly Fact[], facts: readonly Fact[], hours: number) =>
  decide(stateOf(Hire, ...facts), NOW + hours * HOUR_MS).map(({ type }) => type);
const ends = (facts: readonly Fact[], hours: number) => typesAfter(endUndeliveredHire, facts, hours).length > 0;
const reminds = (facts: readonly Fact[], hours: number) => typesAfter(remindOfDelivery, facts, hours).length > 0;

describe('the deadline of a hire', () => {
  test('ends a hire without a delivery, not before', () => {
    expect(endUndeliveredHire(stateOf(Hire, ...hired), deliver_by - 1)).toEqual([]);
    expect(endUndeliveredHire(stateOf(Hire, ...hired), deliver_by)).toMatchObject([
      { type: 'HireEnded', data: { by: null, code: 'not_delivered', reason: 'not_delivered' } },
    ]);
    expect(ends([world.hired()], 9_999)).toBe(false);
    expect(ends([...hired, world.disputed()], HOURS)).toBe(true);
    expect(ends([...hired, world.hireEnded()], HOURS)).toBe(false);
  });

  test('counts an unread delivery for 24 hours, and then takes its proof back', () => {
    expect([HOURS, 23.9, 24].map(hours => ends(unread, hours))).toEqual([false, false, true]);
    const [ended] = endUndeliveredHire(stateOf(Hire, ...unread), NOW + 24 * HOUR_MS);
    expect(ended!.data).toMatchObject({ skills: ['french'], proves: false });
  });

  test.each([
    ['was read', world.deliveryRead()],
    ['was accepted', world.told('Accepted')],
    ['is being paid', world.wageStarted],
  ])('is met for good once a delivery %s', (_title, fact) => {
    expect(ends([...unread, fact, world.delivered(2)], 9_999)).toBe(false);
  });

  test('reminds once, between half of the time and its end, before a delivery', () => {
    expect([4.9, 5, 9.9, HOURS].map(hours => reminds(hired, hours))).toEqual([false, true, true, false]);
    expect(reminds([...hired, world.told('DeliveryDue', { hire: HIRE, role: ROLE })], 6)).toBe(false);
    expect(reminds(unread, 6)).toBe(false);
  });
});

describe('delivering', () => {
  const delivers = (at: number) =>
    decides(deliver, { hire: String(HIRE), url: 'https://files.example/page' }, WORKER, {
      given: null,
      changed: { at },
    });
  testRefusals(Hire, [['after the deadline', hired, delivers(deliver_by), 'hire_ended']]);
  testDecisions(Hire, { Delivered: { url: 'https://files.example/page', note: null } }, [
    ['is possible until the deadline', hired, delivers(deliver_by - 1), { Delivered: {} }],
  ]);
});
