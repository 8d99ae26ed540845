import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { EventStoreDbEventLog } from '#libs/event-log/eventstoredb.event-log.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { EventStoreDouble } from '../doubles/eventstoredb/server.js';
import { events } from './samples.js';

let double: EventStoreDouble;
let log: EventStoreDbEventLog;
beforeEach(async () => {
  double = await EventStoreDouble.start();
  log = EventStoreDbEventLog.open(double.url);
});
afterEach(async () => {
  await log.close();
  await double.kill();
});

test.each(['denied', 'unauthenticated'] as const)(
  'a user that is %s causes one outage per call that names EVENTSTORE_URL',
  async fault => {
    await log.append('a', 'none', events('a', '1'));
    const before = { ...double.faults.requests };
    double.faults.always(fault);
    const outage = { code: 'unavailable', message: 'The event log denies access to the user in EVENTSTORE_URL.' };
    for (const call of [() => log.append('b', 'none', events('b', '1')), () => log.read('a'), () => log.head()]) {
      const error = await call().catch((error: unknown) => error);
      expect(error).toBeInstanceOf(Unavailable);
      expect(error).toMatchObject(outage);
    }
    expect(double.faults.requests).toEqual({ append: before.append + 1, read: before.read + 2 });
    double.faults.always(null);
    expect(await log.append('b', 'none', events('b', '1'))).toHaveLength(1);
  },
);
