import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { WaitingPlaces } from '#libs/features/events-feed/waiting-places.js';
import type { Refusal } from '#libs/kernel/refusal.js';
import { LimitTable } from '#libs/limits/limit-table.js';
import type { LimitRules } from '#libs/limits/rules.js';
import { LIMITS } from '#libs/service/limits.js';

const KINDS = [
  ['event_tails', 4],
  ['event_waits', 32],
] as const;
const ALL = 256;
const table = (some: Partial<LimitRules> = {}) => new LimitTable(LIMITS, { mode: 'on', overrides: {}, ...some });

function refused(work: () => unknown): Refusal {
  try {
    work();
  } catch (error) {
    return error as Refusal;
  }
  throw new Error('A place was given.');
}

/** A connection that can close. */
function connection(ip: string) {
  const raw = Object.assign(new EventEmitter(), { destroyed: false });
  const request = { ip, headers: {} };
  return { http: { request, reply: { raw, request } } as never, raw };
}

test.each(KINDS)('%s: one address has %i, and the refusal names the limit and when to come again', (kind, max) => {
  const places = new WaitingPlaces(table());
  for (let n = 0; n < max; n += 1) places.enter(kind, 'a');
  expect(refused(() => places.enter(kind, 'a'))).toMatchObject({
    code: 'rate_limited',
    details: { retryAfter: 15, more: { limit: kind } },
  });
  places.enter(kind, 'b');
});

test('an operator sets how many there are, also where no window is enforced', () => {
  const few = new WaitingPlaces(table({ mode: 'off', overrides: { event_tails: { points: 1, seconds: 0 } } }));
  few.enter('event_tails', 'a');
  expect(refused(() => few.enter('event_tails', 'a')).message).toBe('At most 1 live tails at once.');
});

test('tails and waits of one address are counted apart', () => {
  const places = new WaitingPlaces(table());
  for (const [kind, max] of KINDS) for (let n = 0; n < max; n += 1) places.enter(kind, 'a');
  for (const [kind] of KINDS) refused(() => places.enter(kind, 'a'));
});

test(`no more than ${ALL} wait in all, from however many addresses`, () => {
  const places = new WaitingPlaces(table());
  const leaving = Array.from({ length: ALL }, (_, at) => places.enter(KINDS[at % 2]![0], `address ${at}`));
  for (const [kind] of KINDS)
    expect(refused(() => places.enter(kind, 'another')).details).toMatchObject({ more: { limit: 'event_places' } });
  leaving[3]!();
  places.enter('event_tails', 'another');
  refused(() => places.enter('event_tails', 'yet another'));
});

test('a place is freed once, however often that is said', () => {
  const places = new WaitingPlaces(table());
  const leaving = Array.from({ length: 4 }, () => places.enter('event_tails', 'a'));
  leaving[0]!();
  leaving[0]!();
  places.enter('event_tails', 'a');
  refused(() => places.enter('event_tails', 'a'));
});

test('whoever goes away frees the place at once, and who had gone before has none', () => {
  const places = new WaitingPlaces(table());
  const open = Array.from({ length: 4 }, () => connection('192.0.2.1'));
  const held = open.map(({ http }) => places.hold('event_tails', http));
  refused(() => places.hold('event_tails', connection('192.0.2.1').http));
  open[2]!.raw.emit('close');
  expect(held.map(({ gone }) => gone.aborted)).toEqual([false, false, true, false]);
  const late = connection('192.0.2.1');
  late.raw.destroyed = true;
  expect(places.hold('event_tails', late.http).gone.aborted).toBe(true);
  places.hold('event_tails', connection('192.0.2.1').http);
  refused(() => places.hold('event_tails', connection('192.0.2.1').http));
});

test('the machines of one IPv6 network share their places', () => {
  const places = new WaitingPlaces(table());
  for (let n = 1; n <= 4; n += 1) places.hold('event_tails', connection(`2001:db8::${n}`).http);
  refused(() => places.hold('event_tails', connection('2001:db8::9').http));
  places.hold('event_tails', connection('2001:db8:0:1::1').http);
});
