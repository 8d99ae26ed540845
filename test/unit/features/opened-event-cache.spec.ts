import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { OpenedEventCache } from '#libs/features/events-feed/event-source.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import { asEvents } from '../../given.js';

const drafts = Array.from({ length: 4 }, (_, n) => ({ type: 'Said', version: 1, data: { n } }));
const [first, second, third] = asEvents(drafts) as unknown as StoredEvent[];

test('renders an event once for concurrent readers and again for later readers', async () => {
  const opened: string[] = [];
  let showing = 'before';
  const forms = new OpenedEventCache({
    of: async events => {
      opened.push(...events.map(({ id }) => id));
      return events.map(({ id }) => ({ id, showing }));
    },
  });
  const pages = [[first!, second!], [second!, third!], [first!, third!], []];
  const shown = await Promise.all(pages.map(events => forms.getMany(events)));
  expect(shown).toEqual(pages.map(events => events.map(({ id }) => ({ id, showing: 'before' }))));
  expect(opened).toEqual([first!.id, second!.id, third!.id]);
  await turn();
  showing = 'cleared';
  expect(await forms.getMany([first!])).toEqual([{ id: first!.id, showing: 'cleared' }]);
});

test('a failed rendering rejects every concurrent reader and is retried later', async () => {
  let isDown = true;
  const forms = new OpenedEventCache({
    of: async events => {
      if (isDown) throw new Error('no documents');
      return events.map(({ id }) => ({ id }));
    },
  });
  const outcomes = await Promise.allSettled([forms.getMany([first!]), forms.getMany([first!, second!])]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isDown = false;
  await turn();
  expect(await forms.getMany([first!])).toEqual([{ id: first!.id }]);
});
