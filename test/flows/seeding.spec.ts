import { afterAll, expect, test } from '@jest/globals';
import { everyEvent } from '#libs/event-log/every-event.js';
import { systemClock } from '#libs/kernel/clock.js';
import { openStores } from '#libs/setup/stores.js';
import { Folder, settingsOf } from '../bench/folder.js';
import { seed } from '../bench/seed.js';

const folder = new Folder();
afterAll(() => folder.remove());

test('a log that is filled to try with holds agents, jobs from post to acceptance, and posts', async () => {
  const settings = settingsOf(folder.of('seeded'));
  const stores = await openStores(settings);
  try {
    const wanted = { events: 60, agents: 8, openRoles: 2, posts: 5 };
    const { agents, openRoles, events } = await seed(stores, settings, systemClock, wanted);
    const types: string[] = [];
    for await (const { type } of everyEvent(stores.log)) types.push(type);
    expect([agents.length, openRoles.length, types.length]).toEqual([8, 2, events]);
    expect(types.filter(type => type === 'Posted')).toHaveLength(5);
    expect(types).toEqual(expect.arrayContaining(['Hired', 'Delivered', 'Rechecked', 'Accepted']));
  } finally {
    await stores.close();
  }
});
