import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { END, EventStoreDBClient, eventTypeFilter, jsonEvent, NO_STREAM, START } from '@eventstore/db-client';
import type { AllStreamSubscription, ResolvedEvent } from '@eventstore/db-client';
import { EventStoreDouble } from '../doubles/eventstoredb/server.js';
import { dropsSlowSubscribers, SERVER_VERSIONS } from '../doubles/eventstoredb/subscriptions.js';

/** Differences between server versions, on a double of each or on the server of `EVENTSTORE_URL`. */
const { EVENTSTORE_URL } = process.env;
const EVENTS = 1_000;
const made = (count: number) => Array.from({ length: count }, () => jsonEvent({ type: 'Measured', data: {} }));

async function versionOf(client: EventStoreDBClient): Promise<string> {
  const { capabilities } = client as unknown as { readonly capabilities: Promise<{ readonly serverVersion: string }> };
  return (await capabilities).serverVersion;
}

async function confirmed(call: AllStreamSubscription): Promise<void> {
  await new Promise<void>(resolve => call.on('confirmation', () => resolve()));
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
    await confirmed(call);
    await client.appendToStream(stream, made(EVENTS), { expectedRevision: NO_STREAM });
    const end = await ended;
    expect(revisions).toEqual(revisions.map((_, at) => BigInt(at)));
    if (dropsSlowSubscribers(version))
      expect(end).toMatchObject({ type: 'timeout', code: 10, message: expect.stringContaining('too slow') });
    else expect(end).toBe('all of them');
    await call.unsubscribe().catch(() => undefined);
  });
});

test('from 24.6 on the checkpoint of an empty last page is the next address', async () => {
  const double = await EventStoreDouble.start('24.6.0');
  const client = EventStoreDBClient.connectionString(double.url);
  const checkpoints: bigint[] = [];
  const checkpointReached = async (_: unknown, { commit }: { readonly commit: bigint }) =>
    void checkpoints.push(commit);
  const filter = eventTypeFilter({ regex: '^Nothing$', checkpointReached });
  const call = client.subscribeToAll({ fromPosition: START, filter });
  await new Promise(resolve => (call as NodeJS.EventEmitter).on('caughtUp', resolve).on('data', () => undefined));
  await call.unsubscribe();
  const { position } = await client.appendToStream('measured', made(1));
  expect(checkpoints).toEqual([position!.commit]);
  await client.dispose();
  await double.kill();
});
