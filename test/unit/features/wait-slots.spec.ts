import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { WaitSlots } from '#libs/features/events-feed/wait-slots.js';
import type { Refusal } from '#libs/kernel/refusal.js';
import { LimitTable, type LimitRules } from '#libs/platform/limits/limit-table.js';
import { DECLARED_LIMITS } from '#libs/service/limits.js';

const KINDS = [
  ['event_tails', 4],
  ['event_waits', 32],
] as const;
const ALL = 256;
const table = (some: Partial<LimitRules> = {}) =>
  new LimitTable(DECLARED_LIMITS, { mode: 'on', overrides: {}, ...some });

function refused(work: () => unknown): Refusal {
  try {
    work();
  } catch (error) {
    return error as Refusal;
  }
  throw new Error('A place was given.');
}

function connection(ip: string) {
  const [raw, socket] = [0, 1].map(() =>
    Object.assign(new EventEmitter(), { destroyed: false, isPaused: () => false }),
  );
  const request = { ip, headers: {}, raw: { socket } };
  return { http: { request, reply: { raw, request } } as never, raw: raw!, socket: socket! };
}

const address = (n: number) => `192.0.${n >> 8}.${n & 255}`;
const OTHER = '198.51.100.1';

test.each(KINDS)('limits %s to %i per address and names the limit and the retry time', (kind, max) => {
  const places = new WaitSlots(table());
  for (let n = 0; n < max; n += 1) places.acquireFor(kind, '192.0.2.1');
  expect(refused(() => places.acquireFor(kind, '192.0.2.1'))).toMatchObject({
    code: 'rate_limited',
    details: { retryAfter: 15, more: { limit: kind } },
  });
  places.acquireFor(kind, '192.0.2.2');
});

test('applies a limit set by the operator even with windows disabled', () => {
  const few = new WaitSlots(table({ mode: 'off', overrides: { event_tails: { points: 1, seconds: 0 } } }));
  few.acquireFor('event_tails', OTHER);
  expect(refused(() => few.acquireFor('event_tails', OTHER)).message).toBe(
    'You can hold at most 1 live tails at once. Close one, or retry later.',
  );
});

test('grants the only place when the total limit is 1', () => {
  const one = new WaitSlots(table({ overrides: { event_places: { points: 1, seconds: 0 } } }));
  const leave = one.acquireFor('event_tails', '2001:db8::1');
  refused(() => one.acquireFor('event_tails', OTHER));
  leave();
  one.acquireFor('event_tails', OTHER);
});

test('counts tails and waits of an address separately', () => {
  const places = new WaitSlots(table());
  for (const [kind, max] of KINDS) for (let n = 0; n < max; n += 1) places.acquireFor(kind, OTHER);
  for (const [kind] of KINDS) refused(() => places.acquireFor(kind, OTHER));
});

test(`limits all addresses together to ${ALL} places`, () => {
  const places = new WaitSlots(table());
  const leaving = Array.from({ length: ALL }, (_, at) => places.acquireFor(KINDS[at % 2]![0], address(at)));
  for (const [kind] of KINDS)
    expect(refused(() => places.acquireFor(kind, OTHER)).details).toMatchObject({ more: { limit: 'event_places' } });
  leaving[3]!();
  places.acquireFor('event_tails', OTHER);
  refused(() => places.acquireFor('event_tails', address(ALL)));
});

function takenBy(places: WaitSlots, addresses: readonly string[], each: number): number {
  let taken = 0;
  for (const ip of addresses)
    for (let n = 0; n < each; n += 1) {
      try {
        places.acquireFor('event_tails', ip);
        taken += 1;
      } catch {
        break;
      }
    }
  return taken;
}

test('leaves a place for a new address when 90 addresses take all they can', () => {
  const places = new WaitSlots(table());
  const addresses = Array.from({ length: 90 }, (_, at) => address(at));
  expect(takenBy(places, addresses, 4)).toBeLessThan(ALL);
  places.acquireFor('event_tails', OTHER);
  refused(() => places.acquireFor('event_tails', OTHER));
});

test.each([
  ['/56', '2001:db8:0:', 1, ALL / 4, '2001:db8:0:100::1'],
  ['/48', '2001:db8:0:', 0x100, ALL / 2, '2001:db8:1::1'],
])('limits an IPv6 %s network to a part of the places', (_bits, prefix, step, most, other) => {
  const places = new WaitSlots(table());
  const addresses = Array.from({ length: 256 }, (_, at) => `${prefix}${(at * step).toString(16)}::1`);
  expect(takenBy(places, addresses, 4)).toBe(most);
  for (const ip of [other, OTHER]) expect(takenBy(places, [ip], 4)).toBe(4);
});

test('frees a place once even if it is released twice', () => {
  const places = new WaitSlots(table());
  const leaving = Array.from({ length: 4 }, () => places.acquireFor('event_tails', OTHER));
  leaving[0]!();
  leaving[0]!();
  places.acquireFor('event_tails', OTHER);
  refused(() => places.acquireFor('event_tails', OTHER));
});

test.each(['socket', 'raw'] as const)('frees the place when the %s closes', closing => {
  const places = new WaitSlots(table());
  const open = Array.from({ length: 4 }, () => connection(OTHER));
  const held = open.map(({ http }) => places.acquire('event_tails', http));
  refused(() => places.acquire('event_tails', connection(OTHER).http));
  open[2]![closing].emit('close');
  expect(held.map(({ disconnected }) => disconnected.aborted)).toEqual([false, false, true, false]);
  places.acquire('event_tails', connection(OTHER).http);
  refused(() => places.acquire('event_tails', connection(OTHER).http));
});

test.each(['socket', 'raw'] as const)('gives no place to a request whose %s is already closed', closed => {
  const places = new WaitSlots(table());
  const late = connection(OTHER);
  late[closed].destroyed = true;
  expect(places.acquire('event_tails', late.http).disconnected.aborted).toBe(true);
  expect(takenBy(places, [OTHER], 5)).toBe(4);
});

test('frees the place of a response that ended before its stream began', () => {
  const places = new WaitSlots(table());
  const failed = connection(OTHER);
  const { disconnected } = places.acquire('event_tails', failed.http);
  Object.assign(failed.raw, { writableFinished: true });
  failed.raw.emit('close');
  expect(disconnected.aborted).toBe(false);
  expect(failed.socket.listenerCount('close')).toBe(0);
  expect(takenBy(places, [OTHER], 5)).toBe(4);
});

test('counts the addresses of an IPv6 /64 network together', () => {
  const places = new WaitSlots(table());
  for (let n = 1; n <= 4; n += 1) places.acquire('event_tails', connection(`2001:db8::${n}`).http);
  refused(() => places.acquire('event_tails', connection('2001:db8::9').http));
  places.acquire('event_tails', connection('2001:db8:0:1::1').http);
});
