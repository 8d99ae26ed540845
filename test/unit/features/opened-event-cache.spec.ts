import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { OpenedEventCache } from '#libs/features/events-feed/opened-event-cache.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import { asEvents } from '../../given.js';

const said = Array.from({ length: 4 }, (_, n) => ({ type: 'Said', version: 1, data: { n } }));
const [first, second, third] = asEvents(said) as unknown as StoredEvent[];

test('what many are shown at one moment is opened once, and anew the next time', async () => {
  const opened: string[] = [];
  let showing = 'before';
  const forms = new OpenedEventCache({
    of: async events => {
      opened.push(...events.map(({ id }) => id));
      return events.map(({ id }) => ({ id, showing }));
    },
  });
  const asked = [[first!, second!], [second!, third!], [first!, third!], []];
  const shown = await Promise.all(asked.map(events => forms.getMany(events)));
  expect(shown).toEqual(asked.map(events => events.map(({ id }) => ({ id, showing: 'before' }))));
  expect(opened).toEqual([first!.id, second!.id, third!.id]);
  await turn();
  showing = 'cleared';
  expect(await forms.getMany([first!])).toEqual([{ id: first!.id, showing: 'cleared' }]);
});

test('an event that cannot be shown fails for everybody who asked, and is tried again the next time', async () => {
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
