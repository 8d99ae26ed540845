import { expect, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { LOG_START } from '#libs/kernel/event.js';
import { DAY_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import { send } from '../raw-agent.js';
import { inboxOf, listed, QUIET_MS, stateBecomes, useWebhookWorld } from './webhook-world.js';

const { hooks, world, receiver, other } = useWebhookWorld();

test('a failed message is retried before the next one, with growing pauses and its id', async () => {
  const [ada, ben] = [await world.raw('Cleo'), await world.raw('Dora')];
  const { id } = await hooks.hooked(ben, { events: 'connection_request,message' });
  receiver.answer = () => ({ status: 500 });
  await ada.connect(ben);
  await ada.ok('message', { to: ben.museId, text: 'A first secret line' });
  await receiver.waitFor(1);
  await stateBecomes(ben, 'failing');
  const [failing] = await listed(ben);
  expect(failing).toMatchObject({ id: Number(id), state: 'failing', failing: { tries: 1, status: 500 } });
  const { since, next_try, unreached } = failing!['failing'] as { since: number; next_try: number; unreached?: object };
  expect([next_try > since, unreached]).toEqual([true, undefined]);
  const { body: health } = await send(world.url, '/api/health');
  expect(health).toMatchObject({ status: 'ok', webhooks: { waiting: 1, failing: 1, position: expect.any(String) } });
  await world.advance(6_000);
  await receiver.waitFor(2);
  await world.advance(6_000);
  await pause(QUIET_MS);
  expect(receiver.messages).toHaveLength(2);
  receiver.answer = () => ({ status: 200 });
  await world.advance(6 * MINUTE_MS);
  const [first, again, third, message] = await receiver.waitFor(4);
  const ids = [first, again, third].map(each => each!.headers['webhook-id']);
  expect(new Set(ids).size).toBe(1);
  expect(third!.headers['webhook-timestamp']).not.toBe(first!.headers['webhook-timestamp']);
  expect(message!.body).toMatchObject({ type: 'message', data: { text: 'A first secret line' } });
  await stateBecomes(ben, 'active');
  expect((await listed(ben))[0]).not.toHaveProperty('failing');
});

test('the list and the test explain why a receiver does not respond', async () => {
  const [ada, ben] = [await world.raw('Iris'), await world.raw('Jost')];
  await hooks.hooked(ben, { events: 'connection_request' });
  receiver.answer = () => null;
  await ada.ok('connect', { to: ben.museId });
  await stateBecomes(ben, 'failing');
  const { id, failing } = (await listed(ben))[0]!;
  const unreached = { reason: 'unreachable', error: 'Its host does not answer.' };
  expect(failing).toMatchObject({ tries: 1, status: null, unreached });
  expect((await ben.ok('webhook', { action: 'test', id: String(id) })).body).toMatchObject({
    delivered: false,
    unreached,
  });
});

test('a receiver can set the time of the retry, and a redirect counts as a failure', async () => {
  const [ada, ben] = [await world.raw('Enid'), await world.raw('Finn')];
  await hooks.hooked(ben, { events: 'connection_request' });
  receiver.answer = () => ({ status: 503, headers: { 'retry-after': '3600' } });
  await ada.ok('connect', { to: ben.museId });
  await receiver.waitFor(1);
  await stateBecomes(ben, 'failing');
  await world.advance(50 * MINUTE_MS);
  await pause(QUIET_MS);
  expect(receiver.messages).toHaveLength(1);
  receiver.answer = () => ({ status: 302, headers: { location: other.url } });
  await world.advance(11 * MINUTE_MS);
  await receiver.waitFor(2);
  await stateBecomes(ben, 'failing');
  expect(other.messages).toEqual([]);
});

test('410 stops a webhook permanently and notifies the inbox', async () => {
  const [ada, ben] = [await world.raw('Gwen'), await world.raw('Hans')];
  const { id } = await hooks.hooked(ben);
  receiver.answer = () => ({ status: 410 });
  await ada.ok('connect', { to: ben.museId });
  await stateBecomes(ben, 'stopped');
  expect(await listed(ben)).toMatchObject([{ id: Number(id), state: 'stopped', reason: 'gone' }]);
  await world.settle();
  const items = await inboxOf(ben);
  expect(items).toMatchObject([{ kind: 'connection_request' }, { kind: 'webhook_stopped', webhook: Number(id) }]);
  for (const action of ['test', 'rotate', 'replay'])
    expect(await ben.post('webhook', { action, id, after: LOG_START })).toMatchObject({
      status: 409,
      body: { code: 'webhook_stopped' },
    });
  await ben.ok('webhook', { action: 'remove', id });
  expect(await listed(ben)).toEqual([]);
});

test('a webhook that fails for five days is stopped and notifies the inbox', async () => {
  const [ada, ben] = [await world.raw('Ines'), await world.raw('Jack')];
  await hooks.hooked(ben, { events: 'connection_request' }, other);
  other.answer = () => ({ status: 404 });
  await ada.ok('connect', { to: ben.museId });
  await other.waitFor(1);
  for (let day = 1; (await stateBecomes(ben, 'failing', 'stopped')) === 'failing'; day += 1) {
    expect(day).toBeLessThan(8);
    const before = other.messages.length;
    await world.advance(DAY_MS);
    await other.waitFor(before + 1);
    await pause(QUIET_MS);
  }
  expect(await listed(ben)).toMatchObject([{ state: 'stopped', reason: 'given_up' }]);
  expect(other.messages.length).toBeLessThanOrEqual(7);
  await world.settle();
  const items = await inboxOf(ben);
  expect(items.map(({ kind }) => kind)).toEqual(['connection_request', 'webhook_stopped']);
});

test('a webhook is replayed from any position and continues from there', async () => {
  const [ada, ben] = [await world.raw('Kate'), await world.raw('Liam')];
  const { id } = await hooks.hooked(ben, { events: 'connection_request,message' });
  await ada.connect(ben);
  for (const text of ['A secret one', 'A secret two', 'A secret three'])
    await ada.ok('message', { to: ben.museId, text });
  const all = [...(await receiver.waitFor(4))];
  const after = all[1]!.body.data['position'] as string;
  for (const unknown of ['18446744073709552349', '00009007199254740993'])
    expect(await ben.post('webhook', { action: 'replay', id, after: unknown })).toMatchObject({
      status: 400,
      body: { code: 'after', reason: 'out_of_range' },
    });
  await ben.ok('webhook', { action: 'replay', id, after });
  await ada.ok('message', { to: ben.museId, text: 'A secret four' });
  const again = (await receiver.waitFor(7)).slice(4);
  expect(again.map(({ body }) => body.data['text'])).toEqual(['A secret two', 'A secret three', 'A secret four']);
  expect(again.slice(0, 2).map(({ headers }) => headers['webhook-id'])).toEqual(
    all.slice(2).map(({ headers }) => headers['webhook-id']),
  );
});

test('a slow host with the hooks of many muses delays no other host', async () => {
  const [ada, quick] = [await world.raw('Vera'), await world.raw('Walt')];
  receiver.answer = () => ({ status: 204, afterMs: 6_000 });
  for (let count = 0; count < 12; count += 1) {
    const slow = await world.raw(`Slow ${count}`);
    await hooks.hooked(slow, { events: 'connection_request' });
    await ada.ok('connect', { to: slow.museId });
  }
  await hooks.hooked(quick, { events: 'connection_request' }, other);
  await receiver.waitFor(3);
  const began = Date.now();
  await ada.ok('connect', { to: quick.museId });
  await other.waitFor(1);
  expect(Date.now() - began).toBeLessThan(5_000);
  expect(receiver.messages).toHaveLength(3);
  receiver.answer = () => ({ status: 204 });
  await receiver.waitFor(12, 45_000);
}, 90_000);
