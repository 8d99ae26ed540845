import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '#libs/event-log/eventstoredb.client.js';
import { positionOf } from '#libs/event-log/eventstoredb.records.js';
import { LogScan } from '#libs/event-log/eventstoredb.scan.js';
import { EventStoreDbEventLog } from '#libs/event-log/eventstoredb.event-log.js';
import { LOG_START } from '#libs/kernel/event.js';
import { EventStoreDouble } from '../doubles/eventstoredb/server.js';
import { SERVER_VERSIONS } from '../doubles/eventstoredb/subscriptions.js';
import { event, events } from './samples.js';
import { until } from '../unit/documents/bench.js';

/** More events than are read individually, so the server filters the rest. */
const COMMON = 700;

describe.each(SERVER_VERSIONS)('a filtered page without matches on a double of %s', version => {
  let double: EventStoreDouble;
  let log: EventStoreDbEventLog;
  beforeEach(async () => {
    double = await EventStoreDouble.start(version);
    log = EventStoreDbEventLog.open(double.url);
    const ids = Array.from({ length: COMMON }, (_, index) => `${index}`);
    await log.append('common', 'none', events('common', ...ids));
  });
  afterEach(async () => {
    await log.close();
    await double.kill();
  });

  const rare = () => log.append('rare', 'none', [event('rare', '1', { type: 'Rare' })]);
  const streams = ({ events: records }: { readonly events: readonly { readonly stream: string }[] }) =>
    records.map(({ stream }) => stream);

  test('ends where the next page finds the next event', async () => {
    const first = await log.readAll(LOG_START, 10, ['Rare']);
    expect(first.events).toEqual([]);
    await rare();
    expect(streams(await log.readAll(first.next, 10, ['Rare']))).toEqual(['rare']);
  });

  test('includes an event that is written during its end check', async () => {
    const before = double.faults.requests.read;
    // Delays the read after the first read and the subscription until the event is written.
    double.faults.plan('read', null, null, { delayMs: 300 });
    const page = log.readAll(LOG_START, 10, ['Rare']);
    await until(() => double.faults.requests.read === before + 3);
    await rare();
    const read = await page;
    const rest = await log.readAll(read.next, 10, ['Rare']);
    expect([...streams(read), ...streams(rest)]).toEqual(['rare']);
  });

  test('returns a position from which the next page only checks the end', async () => {
    const first = await log.readAll(LOG_START, 10, ['Rare']);
    const again = await log.readAll(first.next, 10, ['Rare']);
    expect(again.events).toEqual([]);
    expect(again.next).toBe(await log.head());
  });
});

test('fails if the server returns the same page twice', async () => {
  const record = { id: 'a', stream: 's', type: 'T', revision: 0, commit: 1n, data: {}, metadata: {} };
  const client = { readForwards: async (_: unknown, count: number) => Array(count).fill(record) } as unknown as Client;
  const page = new LogScan(client, positionOf(2n), 10).page();
  await expect(page).rejects.toThrow('The server returned the same page twice after 2.');
});
