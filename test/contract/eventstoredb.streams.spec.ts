import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { RevisionConflict } from '#libs/event-log/event-log.port.js';
import { EventStoreDbEventLog } from '#libs/event-log/eventstoredb.event-log.js';
import { LOG_START } from '#libs/kernel/event.js';
import { callsBetween } from '../doubles/eventstoredb/call-counts.js';
import { EventStoreDouble } from '../doubles/eventstoredb/server.js';
import { waitUntil } from '../wait-until.js';
import { event, events, nameOf } from './samples.js';

let double: EventStoreDouble;
let log: EventStoreDbEventLog;
/** Another application on the server. */
let foreign: EventStoreDBClient;

beforeEach(async () => {
  double = await EventStoreDouble.start();
  log = EventStoreDbEventLog.open(double.url);
  foreign = EventStoreDBClient.connectionString(double.url);
});
afterEach(async () => {
  await log.close();
  await foreign.dispose();
  await double.kill();
});

const writeForeign = (stream: string, metadata: object, type = 'Posted') =>
  foreign.appendToStream(stream, [jsonEvent({ type, data: {}, metadata: { ...metadata } })]);

function envelope(): { [member: string]: unknown } {
  const { version, at, actor, cause, decided_by, based_on, authorization } = event('x', '1');
  return { version, at, actor, cause, decided_by, based_on, authorization };
}

/** A log whose reader has not read the stream before. */
async function withNewReader(work: (reader: EventStoreDbEventLog) => Promise<void>, isListening = false) {
  const reader = EventStoreDbEventLog.open(double.url);
  try {
    if (isListening) await new Promise<void>(resolve => reader.wake(resolve));
    await work(reader);
  } finally {
    await reader.close();
  }
}

describe('events of other applications on the server', () => {
  const members = Object.keys(envelope());
  const incomplete = members.map(member => [member, { ...envelope(), [member]: undefined }] as const);

  test.each(incomplete)('an event whose metadata lacks %s is passed over', async (_, metadata) => {
    const [own] = await log.append('a', 'none', events('a', '1'));
    await writeForeign('a', metadata);
    await writeForeign('b', metadata);
    expect(await log.read('a')).toEqual([own]);
    expect(await log.read('b')).toEqual([]);
    expect((await log.readAll(LOG_START, 10)).events).toEqual([own]);
    expect((await log.readNews(LOG_START, 10)).events).toEqual([own]);
    expect(await log.head()).toBe(own!.position);
  });

  test.each([
    ['a text as version', { version: '1' }],
    ['a fraction as version', { version: 1.5 }],
    ['a text as time', { at: 'now' }],
    ['a number as actor', { actor: 1 }],
    ['a list as based_on', { based_on: [] }],
    ['a text as authorization', { authorization: 'me' }],
  ])('an event with %s is passed over', async (_, member) => {
    await writeForeign('a', { ...envelope(), ...member });
    expect((await log.readAll(LOG_START, 10)).events).toEqual([]);
  });

  test('an event with a whole envelope is ours, whatever its stream and type', async () => {
    await writeForeign('of-a-newer-build', envelope(), 'Newer');
    expect((await log.readAll(LOG_START, 10)).events).toMatchObject([{ stream: 'of-a-newer-build', type: 'Newer' }]);
    expect(await log.read('of-a-newer-build')).toHaveLength(1);
  });

  test('are not delivered to followers', async () => {
    await withNewReader(async reader => {
      await writeForeign('a', { version: 3 });
      await log.append('b', 'none', events('b', '1'));
      await waitUntil(async () => (await reader.readNews(LOG_START, 10)).events.length > 0);
      expect((await reader.readNews(LOG_START, 10)).events.map(nameOf)).toEqual(['1']);
    }, true);
  });

  test('an append after a foreign event is refused with its stream and revision', async () => {
    await log.append('a', 'none', events('a', '1'));
    await writeForeign('a', { version: 3 });
    const refused = { code: 'unreadable_event', message: expect.stringMatching(/a .*revision 1/) as unknown };
    await expect(log.append('a', 0, events('a', '2'))).rejects.toMatchObject(refused);
    await expect(log.append('a', 'none', events('a', '2'))).rejects.toThrow(RevisionConflict);
    expect((await log.read('a')).map(nameOf)).toEqual(['1']);
  });
});

describe.each([false, true])('a stream that lost events, for a process that listens: %s', isListening => {
  const cutAt2 = {
    code: 'unreadable_event',
    message: expect.stringMatching(/stream a begins at revision 2/) as unknown,
  };
  const gone = { code: 'unreadable_event', message: expect.stringMatching(/stream a .*revision 0/) as unknown };
  beforeEach(async () => void (await log.append('a', 'none', events('a', '1', '2', '3'))));
  const expectRefusal = (refusal: object) =>
    withNewReader(async reader => {
      await expect(reader.read('a')).rejects.toMatchObject(refusal);
      await expect(reader.read('a', 0, 1)).rejects.toMatchObject(refusal);
      await expect(reader.append('a', 5, events('a', '4'))).rejects.toMatchObject(refusal);
    }, isListening);

  test('by a maximum count is an error that names stream and revision', async () => {
    await foreign.setStreamMetadata('a', { maxCount: 1 });
    await expectRefusal(cutAt2);
  });

  test('by truncation is an error that names stream and revision', async () => {
    await foreign.setStreamMetadata('a', { truncateBefore: 2 });
    await expectRefusal(cutAt2);
  });

  test('by truncation of all its events is an error that names stream and revision', async () => {
    await foreign.setStreamMetadata('a', { truncateBefore: 3 });
    await expectRefusal(gone);
  });

  test('by a deletion is an error that names stream and revision', async () => {
    await foreign.deleteStream('a');
    await expectRefusal(gone);
  });

  test('by a final deletion is an error that names stream and revision', async () => {
    await foreign.tombstoneStream('a');
    await expectRefusal(gone);
    await expect(log.append('a', 'none', events('a', '4'))).rejects.toMatchObject(gone);
  });

  test('by a deletion and begins again is an error that names stream and revision', async () => {
    await foreign.deleteStream('a');
    const refusal = { ...gone, message: expect.stringMatching(/stream a begins at revision 3/) as unknown };
    await expect(log.append('a', 'none', events('a', '4'))).rejects.toMatchObject(refusal);
    await expectRefusal(refusal);
  });

  test('is not one whose metadata only sets rights', async () => {
    await foreign.setStreamMetadata('new', { acl: { readRoles: ['$all'] } });
    await withNewReader(async reader => expect(await reader.read('new')).toEqual([]), isListening);
  });
});

test('a listening process that knows all deletions asks for no metadata', async () => {
  await foreign.deleteStream('deleted');
  await withNewReader(async reader => {
    const callsOf = async (stream: string) => {
      const before = { ...double.faults.calls };
      expect(await reader.read(stream)).toEqual([]);
      return callsBetween(before, double.faults.calls);
    };
    expect(await callsOf('first')).toMatchObject({ stream: 2, subscription: 1 });
    await waitUntil(() => double.openReads === 1);
    expect(await callsOf('second')).toMatchObject({ stream: 1, subscription: 0 });
    await expect(reader.read('deleted')).rejects.toThrow('The stream deleted was cut or deleted');
    await log.append('later', 'none', events('later', '1'));
    await foreign.deleteStream('later');
    await withNewReader(other => expect(other.read('later')).rejects.toThrow('revision 0'), true);
  }, true);
});
