import { expect, test } from '@jest/globals';
import { iterateEvents } from '#libs/event-log/iterate-events.js';
import { systemClock } from '#libs/kernel/clock.js';
import { readSettings } from '#libs/setup/settings.js';
import { openStores } from '#libs/setup/stores.js';
import { seed } from '../bench/seed.js';
import { EventStoreDouble } from '../doubles/eventstoredb/server.js';
import { makeFolder } from '../temporary-folder.js';

const EVENTS = 400;

test('a seeded EventStoreDB log has the requested number of events', async () => {
  const folder = makeFolder();
  const double = await EventStoreDouble.start();
  const chosen = { EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: double.url, DATA_DIR: folder };
  const settings = readSettings(chosen);
  const stores = await openStores(settings);
  try {
    const { events } = await seed(stores, settings, systemClock, { events: EVENTS });
    expect(events).toBeGreaterThanOrEqual(EVENTS);
    let there = 0;
    for await (const _event of iterateEvents(stores.log)) there += 1;
    expect(there).toBe(events);
  } finally {
    await stores.close();
    await double.kill();
  }
});
