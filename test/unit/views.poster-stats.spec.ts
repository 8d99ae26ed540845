import { expect, test } from '@jest/globals';
import { HOUR_MS } from '#libs/kernel/clock.js';
import { medianHours } from '#libs/views/median.js';
import { Wages } from '#libs/features/hires/views/wages.js';
import { SETUP_EVENTS, toEvents, type EventSketch } from '../repeated-events.js';
import { HIRE, POSTER } from './features/worlds.js';
import { after } from './views.js';

const of = { hire: HIRE, poster: POSTER };
const wageAfter = (...more: EventSketch[]) =>
  after(Wages, toEvents([...SETUP_EVENTS, ...more])).get(`${POSTER}/${HIRE}`)?.body;

test('the time to pay runs from the latest delivery to the payment', () => {
  expect(wageAfter()).toMatchObject({ poster: POSTER, state: 'owed', after: null });
  const again: EventSketch = ['Delivered', { ...of, delivery: 2 }, `hire-${HIRE}`];
  expect(wageAfter(again, ['Paid', of, `hire-${HIRE}`])).toMatchObject({ state: 'paid', after: 1 });
  expect(wageAfter(['Paid', of, `hire-${HIRE}`], again)).toMatchObject({ state: 'paid', after: 1 });
});

test('a wage that an escrow holds is not owed until the escrow is closed', () => {
  const [funded, closed] = ['EscrowFunded', 'EscrowClosed'].map((type): EventSketch => [type, of, `hire-${HIRE}`]);
  const hired: EventSketch[] = [['Hired', of, `hire-${HIRE}`], funded!];
  const delivered: EventSketch = ['Delivered', { ...of, delivery: 1 }, `hire-${HIRE}`];
  const stateAfter = (...more: EventSketch[]) =>
    after(Wages, toEvents([...hired, ...more])).get(`${POSTER}/${HIRE}`)?.body['state'];
  expect(stateAfter(delivered)).toBe('held');
  expect(stateAfter(delivered, closed!)).toBe('owed');
  expect(stateAfter(closed!)).toBe('hired');
  expect(stateAfter(closed!, delivered)).toBe('owed');
  expect(stateAfter(delivered, ['Paid', of, `hire-${HIRE}`])).toBe('paid');
});

test('free hires, instant tasks and ended hires have no wage', () => {
  const hired = (changed: object): EventSketch => ['Hired', { ...of, ...changed }, 'hire-1'];
  const documents = (...more: EventSketch[]) => after(Wages, toEvents(more)).size;
  expect(documents(hired({}))).toBe(1);
  expect(documents(hired({ wage: null }), ['Delivered', of, 'hire-1'])).toBe(0);
  expect(documents(hired({ poster: null }))).toBe(1);
  expect(documents(hired({ poster: null, role: 'instant-123456789012' }))).toBe(0);
  expect(documents(hired({}), ['HireEnded', of, 'hire-1'])).toBe(0);
});

test('the median is the middle value or the mean of two, rounded to 0.01 hours', () => {
  expect(medianHours([])).toBeNull();
  expect(medianHours([3 * HOUR_MS, HOUR_MS, 10 * HOUR_MS])).toBe(3);
  expect(medianHours([3 * HOUR_MS, HOUR_MS])).toBe(2);
  expect(medianHours([HOUR_MS / 3])).toBe(0.33);
});
