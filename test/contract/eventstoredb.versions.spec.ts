import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  END,
  EventStoreDBClient,
  eventTypeFilter,
  jsonEvent,
  NO_STREAM,
  type ResolvedEvent,
  START,
} from '@eventstore/db-client';
import { EventStoreDouble } from '../doubles/eventstoredb/server.js';
import { dropsSlowSubscribers, SERVER_VERSIONS, type ServerVersion } from '../doubles/eventstoredb/subscriptions.js';

/** Differences between server versions, on a double of each or on the server of `EVENTSTORE_URL`. */
const { EVENTSTORE_URL } = process.env;
const EVENTS = 1_000;
const made = (count: number) => Array.from({ length: count }, () => jsonEvent({ type: 'Measured', data: {} }));

async function versionOf(client: EventStoreDBClient): Promise<string> {
  const { capabilities } = client as unknown as { readonly capabilities: Promise<{ readonly serverVersion: string }> };
  return (await capabilities).serverVersion;
}

describe.each(EVENTSTORE_URL ? (['the server'] as const) : SERVER_VERSIONS)('%s', named => {
  let double: EventStoreDouble | undefined;
  let client: EventStoreDBClient;
  let version: string;

  beforeAll(async () => {
    if (named !== 'the server') double = await EventStoreDouble.start(named);
    client = EventStoreDBClient.connectionString(double?.url ?? EVENTSTORE_URL!);
    version = await versionOf(client);
  });
  afterAll(async () => {
    await client.dispose();
    await double?.kill();
  });

  test('reports its version', () => {
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    if (named !== 'the server') expect(version).toBe(named);
  });

  test('drops a subscriber that cannot keep up, or lets it catch up from version 24 on', async () => {
    const stream = `measured-${randomUUID()}`;
    const call = client.subscribeToAll({ fromPosition: END });
    const revisions: bigint[] = [];
    const ended = new Promise<unknown>(resolve => {
      call.on('error', resolve);
      call.on('data', ({ event }: ResolvedEvent) => {
        if (event?.streamId === stream) revisions.push(event.revision);
        if (revisions.length === EVENTS) resolve('all of them');
      });
    });
    await new Promise<void>(resolve => call.on('confirmation', () => resolve()));
    await client.appendToStream(stream, made(EVENTS), { expectedRevision: NO_STREAM });
    const end = await ended;
    expect(revisions).toEqual(revisions.map((_, at) => BigInt(at)));
    if (dropsSlowSubscribers(version))
      expect(end).toMatchObject({ type: 'timeout', code: 10, message: expect.stringContaining('too slow') });
    else expect(end).toBe('all of them');
    await call.unsubscribe().catch(() => undefined);
  });
});

/** Faults and versions that a real server cannot be asked for, so these tests only run on the double. */
async function withDouble(
  work: (double: EventStoreDouble, client: EventStoreDBClient) => Promise<void>,
  version?: ServerVersion,
): Promise<void> {
  const double = await EventStoreDouble.start(version);
  const client = EventStoreDBClient.connectionString(double.url);
  await work(double, client);
  await client.dispose();
  await double.kill();
}

test('from 24.6 on the checkpoint of an empty last page is the next address', () =>
  withDouble(async (_double, client) => {
    const checkpoints: bigint[] = [];
    const checkpointReached = async (_: unknown, { commit }: { readonly commit: bigint }) =>
      void checkpoints.push(commit);
    const filter = eventTypeFilter({ regex: '^Nothing$', checkpointReached });
    const call = client.subscribeToAll({ fromPosition: START, filter });
    await new Promise(resolve => (call as NodeJS.EventEmitter).on('caughtUp', resolve).on('data', () => undefined));
    await call.unsubscribe();
    const { position } = await client.appendToStream('measured', made(1));
    expect(checkpoints).toEqual([position!.commit]);
  }, '24.6.0'));

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
