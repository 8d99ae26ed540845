import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ANY, BACKWARDS, END, EventStoreDBClient, FORWARDS, jsonEvent, NO_STREAM, START } from '@eventstore/db-client';
import type { AppendExpectedRevision, ResolvedEvent } from '@eventstore/db-client';
import { eventTypeFilter } from '@eventstore/db-client';
import { EventStoreDouble } from '../doubles/eventstoredb/server.js';

/** Pins behavior of EventStoreDB 23.10.8 on the double, and on the server of `EVENTSTORE_URL`. */
const { EVENTSTORE_URL } = process.env;
let double: EventStoreDouble | undefined;
let client: EventStoreDBClient;

beforeAll(async () => {
  if (!EVENTSTORE_URL) double = await EventStoreDouble.start();
  client = EventStoreDBClient.connectionString(EVENTSTORE_URL ?? double!.url);
});
afterAll(async () => {
  await client.dispose();
  await double?.kill();
});

const named = (prefix = 'measured') => `${prefix}-${randomUUID()}`;
const made = (count: number, data: { half?: string; other?: boolean } = {}) =>
  Array.from({ length: count }, () => jsonEvent({ type: 'Measured', data }));
const append = (stream: string, events: ReturnType<typeof made>, expectedRevision: AppendExpectedRevision = ANY) =>
  client.appendToStream(stream, events, { expectedRevision });

async function all(read: AsyncIterable<ResolvedEvent> & { cancel(): Promise<void> }) {
  const events: NonNullable<ResolvedEvent['event']>[] = [];
  try {
    for await (const { event } of read) if (event) events.push(event);
  } finally {
    await read.cancel();
  }
  return events;
}

test('a wrong revision is recognised only by the type of its error', async () => {
  const stream = named();
  const refused = { type: 'wrong-expected-version', name: 'Error', message: '' };
  await expect(append(stream, made(1), 0n)).rejects.toMatchObject({ ...refused, actualVersion: 'no_stream' });
  await append(stream, made(2), NO_STREAM);
  await expect(append(stream, made(1), NO_STREAM)).rejects.toMatchObject({ ...refused, actualVersion: 1n });
});

test('repeated ids at the same expected revision succeed and write nothing', async () => {
  const stream = named();
  const events = made(3);
  const first = await append(stream, events, NO_STREAM);
  expect(await append(stream, events, NO_STREAM)).toMatchObject({ success: true, position: first.position });
  expect(await append(stream, events, ANY)).toMatchObject({ success: true, position: first.position });
  expect(await append(stream, events.slice(0, 2), NO_STREAM)).toMatchObject({ success: true });
  const others = events.map(event => ({ ...event, data: { other: true } }));
  expect(await append(stream, others, NO_STREAM)).toMatchObject({ position: first.position });
  expect(await all(client.readStream(stream))).toHaveLength(3);
});

test('repeated ids at the current revision are written again', async () => {
  const stream = named();
  const events = made(1);
  await append(stream, events, NO_STREAM);
  await append(stream, events, 0n);
  expect(await all(client.readStream(stream))).toHaveLength(2);
});

test('a batch with some known ids is a wrong version', async () => {
  const stream = named();
  const events = made(2);
  await append(stream, events, NO_STREAM);
  const mixed = [events[0]!, ...made(1)];
  for (const expected of [NO_STREAM, ANY] as const)
    await expect(append(stream, mixed, expected)).rejects.toMatchObject({ type: 'wrong-expected-version' });
});

test('an append of more than 1,048,576 bytes is refused as a whole', async () => {
  const stream = named();
  const half = 'x'.repeat(600_000);
  const refused = { type: 'maximum-append-size-exceeded' };
  await expect(append(stream, made(2, { half }), NO_STREAM)).rejects.toMatchObject(refused);
  expect(await append(stream, made(1, { half }), NO_STREAM)).toMatchObject({ success: true });
});

test('an empty batch succeeds and creates nothing', async () => {
  const stream = named();
  await append(stream, [], NO_STREAM);
  await expect(all(client.readStream(stream))).rejects.toMatchObject({ type: 'stream-not-found' });
});

test('an append returns the position of its last event, with equal commit and prepare', async () => {
  const stream = named();
  const { position } = await append(stream, made(3), NO_STREAM);
  const events = await all(client.readStream(stream));
  expect(events.at(-1)!.position).toEqual(position);
  for (const event of events) expect(event.position!.commit).toBe(event.position!.prepare);
});

test('a deleted stream is not found, and begins again behind its last revision', async () => {
  const stream = named();
  await append(stream, made(2), NO_STREAM);
  await client.deleteStream(stream);
  await expect(all(client.readStream(stream))).rejects.toMatchObject({ type: 'stream-not-found' });
  const [metadata] = await all(client.readStream(`$$${stream}`, { direction: BACKWARDS, fromRevision: END }));
  expect(metadata).toMatchObject({ type: '$metadata', data: { $tb: 2 ** 63 } });
  expect(await append(stream, made(1), NO_STREAM)).toMatchObject({ nextExpectedRevision: 2n });
  expect((await all(client.readStream(stream))).map(({ revision }) => revision)).toEqual([2n]);
});

test('a cut stream begins at its first remaining revision, or is empty', async () => {
  const stream = named();
  await append(stream, made(3), NO_STREAM);
  await client.setStreamMetadata(stream, { maxCount: 1 });
  expect((await all(client.readStream(stream, { maxCount: 2 }))).map(({ revision }) => revision)).toEqual([2n]);
  await client.setStreamMetadata(stream, { truncateBefore: 3 });
  expect(await all(client.readStream(stream))).toEqual([]);
});

test('reading nothing or from the end is an unspecific error', async () => {
  const stream = named();
  await append(stream, made(1), NO_STREAM);
  for (const options of [{ maxCount: 0 }, { fromRevision: END, direction: FORWARDS }] as const)
    await expect(all(client.readStream(stream, options))).rejects.toMatchObject({ code: 2 });
});

test('a read includes its start position, a subscription excludes it', async () => {
  const stream = named();
  const { position } = await append(stream, made(2), NO_STREAM);
  const [first] = await all(client.readAll({ fromPosition: position!, maxCount: 1 }));
  expect(first!.position).toEqual(position);
  const next = named();
  await append(next, made(1), NO_STREAM);
  const subscription = client.subscribeToAll({ fromPosition: position! });
  for await (const { event } of subscription)
    if (event?.streamId === stream) throw new Error('It was included.');
    else if (event?.streamId === next) break;
  await subscription.unsubscribe();
  const own = await all(client.readAll({ fromPosition: START, maxCount: 1_000 }));
  expect(own.some(({ type }) => type.startsWith('$'))).toBe(true);
});

test('a position is cut to 64 bits, and a negative result fails', async () => {
  const { position } = await append(named(), made(2), NO_STREAM);
  const from = (commit: bigint) =>
    all(client.readAll({ fromPosition: { commit, prepare: commit }, maxCount: 1 })).then(([event]) => event?.position);
  expect(await from(position!.commit + 2n ** 64n)).toEqual(position);
  for (const commit of [2n ** 63n, 2n ** 64n - 2n]) await expect(from(commit)).rejects.toMatchObject({ code: 2 });
  expect(await from(2n ** 64n - 1n)).toBeUndefined();
});

test('reading backwards from the end returns the newest first', async () => {
  const stream = named();
  await append(stream, made(3), NO_STREAM);
  const newest = await all(client.readStream(stream, { direction: BACKWARDS, fromRevision: END, maxCount: 2 }));
  expect(newest.map(({ revision }) => revision)).toEqual([2n, 1n]);
});

test('a filtered subscription reports its progress and the end of the log', async () => {
  const stream = named();
  const { position } = await append(stream, made(40), NO_STREAM);
  const checkpoints: bigint[] = [];
  const filter = eventTypeFilter({
    regex: '^Nothing$',
    maxSearchWindow: 10,
    checkpointReached: async (_, { commit }) => void checkpoints.push(commit),
  });
  const call = client.subscribeToAll({ fromPosition: START, filter });
  await new Promise(resolve => (call as NodeJS.EventEmitter).on('caughtUp', resolve).on('data', () => undefined));
  await call.unsubscribe();
  expect(checkpoints.length).toBeGreaterThan(2);
  expect(checkpoints.every(commit => commit <= position!.commit)).toBe(true);
});
