import { expect, test } from '@jest/globals';
import { EVENT_MEANINGS } from '#libs/channels/pages/docs/event-meanings.js';
import { groupByRequest } from '#libs/channels/pages/log/requests.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

test('each event type is explained, and nothing else', () =>
  expect(Object.keys(EVENT_MEANINGS).sort()).toEqual([...EVENT_TYPES.keys()].sort()));

test('adjacent events with one cause are a group, and private events are alone', () => {
  const events = ['a', 'a', 'b', undefined, undefined, 'a'].map(cause => (cause === undefined ? {} : { cause }));
  expect(groupByRequest<{ cause?: string }>(events).map(({ length }) => length)).toEqual([2, 1, 1, 1, 1]);
});
