import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { END, EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { EventStoreDouble } from '../doubles/eventstoredb/server.js';

/** Faults that a real server cannot be asked for, so they only run on the double. */
const made = (count: number) => Array.from({ length: count }, () => jsonEvent({ type: 'Measured', data: {} }));

async function withDouble(
  work: (double: EventStoreDouble, client: EventStoreDBClient) => Promise<void>,
): Promise<void> {
  const double = await EventStoreDouble.start();
  const client = EventStoreDBClient.connectionString(double.url);
  await work(double, client);
  await client.dispose();
  await double.kill();
}

test('a starting server has no error code, and an unreachable one has no error type', () =>
  withDouble(async (double, client) => {
    const appended = () => client.appendToStream('a', made(1)).catch((error: unknown) => error as { type?: string });
    await double.kill();
    const down = (await appended()) as { code?: number; type?: string };
    expect([down.code, down.type]).toEqual([14, undefined]);
    await double.restart();
    double.faults.plan('append', 'not-ready');
    const message = expect.stringContaining('Server Is Not Ready');
    expect(await appended()).toMatchObject({ type: 'unknown', code: undefined, message });
    expect(await appended()).toMatchObject({ success: true });
  }));

test.each([
  ['terminate', 13],
  ['kill', 14],
] as const)('a subscription ends only with an error: after a %s with code %i', (way, code) =>
  withDouble(async (double, client) => {
    const call = client.subscribeToAll({ fromPosition: END });
    const emitted: string[] = [];
    for (const name of ['end', 'close']) call.on(name, () => emitted.push(name));
    const failed = new Promise<unknown>(resolve => call.on('error', resolve));
    await new Promise<void>(resolve => call.on('confirmation', () => resolve()));
    await double[way]();
    expect(await failed).toMatchObject({ code });
    expect([emitted, call.destroyed]).toEqual([[], false]);
  }),
);

test('a deleted stream refuses appends, and single appends with credentials succeed', () =>
  withDouble(async (double, client) => {
    const stream = `measured-${randomUUID()}`;
    const credentials = { username: 'somebody', password: 'something' };
    expect(await client.appendToStream(stream, made(2), { credentials })).toMatchObject({ nextExpectedRevision: 1n });
    const wrong = client.appendToStream(stream, made(1), { credentials, expectedRevision: NO_STREAM });
    await expect(wrong).rejects.toMatchObject({ type: 'wrong-expected-version' });
    double.memory.tombstone(stream);
    await expect(client.appendToStream(stream, made(1))).rejects.toMatchObject({ type: 'stream-deleted' });
  }));
