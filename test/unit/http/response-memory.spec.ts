import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ResponseMemory, MemoryReservation, SMALL_RESPONSE_BYTES } from '#libs/http/response-memory.js';
import { ResponseSizeEstimator } from '#libs/http/request-response-memory.js';
import type { ReadRoute } from '#libs/http/routes.js';

const SMALL = SMALL_RESPONSE_BYTES;
const LARGE = 4 * SMALL;
/** Two large responses per address and four in total, one of them reserved for new addresses. */
const LIMITS = { perAddress: 2 * LARGE, inAll: 4 * LARGE };
const [ANN, BEN, CARL] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];

class Response extends EventEmitter {
  destroyed = false;

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

let memory: ResponseMemory;
beforeEach(() => void (memory = new ResponseMemory(LIMITS)));
afterEach(() => void jest.useRealTimers());

function take(address: string, bytes: number) {
  const response = new Response();
  const taken = memory.take(address, bytes, response as unknown as ServerResponse);
  const state = { response, taken, isThere: taken instanceof MemoryReservation, code: '' };
  void Promise.resolve(taken).then(
    () => (state.isThere = true),
    (error: { readonly code: string }) => (state.code = error.code),
  );
  return state;
}

const passing = () => pause(60);

test('starts small responses at once and large responses in turn', async () => {
  expect(take(ANN, SMALL).isThere).toBe(true);
  const [first, second] = [take(BEN, LARGE), take(BEN, LARGE)];
  expect([first.isThere, second.isThere]).toEqual([false, false]);
  await passing();
  expect([first.isThere, second.isThere]).toEqual([true, true]);
});

test('limits each address to its share and leaves the rest to others', async () => {
  const [first, second, other] = [take(ANN, LARGE), take(ANN, LARGE), take(BEN, LARGE)];
  await passing();
  const third = take(ANN, SMALL);
  expect([first, second, third, other].map(({ isThere }) => isThere)).toEqual([true, true, false, true]);
  first.response.destroy();
  await passing();
  expect(third.isThere).toBe(true);
});

test('reserves a quarter of the memory for new addresses', async () => {
  const taken = [take(ANN, LARGE), take(ANN, LARGE), take(BEN, LARGE), take(BEN, LARGE)];
  await passing();
  expect(taken.map(({ isThere }) => isThere)).toEqual([true, true, true, false]);
  const newcomer = take(CARL, LARGE);
  await passing();
  expect(newcomer.isThere).toBe(true);
});

test('holds the memory of a sent response until its reader has received it', async () => {
  const sent = take(ANN, LARGE);
  const other = take(ANN, LARGE);
  await passing();
  (await sent.taken).sending(2 * LARGE);
  other.response.destroy();
  const waiting = take(ANN, SMALL);
  await passing();
  expect(waiting.isThere).toBe(false);
  sent.response.destroy();
  await passing();
  expect(waiting.isThere).toBe(true);
});

test('frees the unused memory of a short response when it is sent', async () => {
  const [first, second] = [take(ANN, LARGE), take(ANN, LARGE)];
  await passing();
  for (const { taken } of [first, second]) (await taken).sending(100);
  expect(take(ANN, SMALL).isThere).toBe(true);
});

test('removes a waiting response when its caller disconnects', async () => {
  const [first, second, third] = [take(ANN, LARGE), take(ANN, LARGE), take(ANN, LARGE)];
  await passing();
  third.response.destroy();
  first.response.destroy();
  second.response.destroy();
  await passing();
  expect([third.isThere, take(ANN, SMALL).isThere]).toEqual([false, true]);
});

test('returns `overloaded` when the memory stays full', async () => {
  void [take(ANN, LARGE), take(ANN, LARGE)];
  await passing();
  jest.useFakeTimers({ advanceTimers: false });
  const waiting = take(ANN, SMALL);
  jest.advanceTimersByTime(20_000);
  jest.useRealTimers();
  await passing();
  expect([waiting.isThere, waiting.code]).toEqual([false, 'overloaded']);
});

test('closes the connection of a reader that takes longer than a minute', async () => {
  const sent = take(ANN, SMALL);
  jest.useFakeTimers();
  (await sent.taken).sending(LARGE);
  jest.advanceTimersByTime(59_000);
  expect(sent.response.destroyed).toBe(false);
  jest.advanceTimersByTime(2_000);
  expect(sent.response.destroyed).toBe(true);
});

test('makes a stream wait for the memory of its next chunk', async () => {
  const stream = take(BEN, SMALL);
  const other = take(BEN, LARGE);
  await passing();
  let hasGrown = false;
  const growing = (await stream.taken).grow(LARGE + SMALL).then(() => (hasGrown = true));
  await passing();
  expect([other.isThere, hasGrown]).toEqual([true, false]);
  other.response.destroy();
  await growing;
  expect(hasGrown).toBe(true);
});

test('estimates a response by the longest response of its route', () => {
  const sizes = new ResponseSizeEstimator();
  const route = {} as ReadRoute;
  const request = {} as Parameters<ResponseSizeEstimator['of']>[1];
  expect(sizes.of(route, request)).toBeGreaterThan(SMALL);
  sizes.note(route, 100);
  expect(sizes.of(route, request)).toBe(SMALL);
  sizes.note(route, 1_000_000);
  sizes.note(route, 200);
  expect(sizes.of(route, request)).toBe(4_000_000);
});
