import { expect, test } from '@jest/globals';
import { Inbox, InboxHandedOut } from '#libs/features/inbox/domain/inbox.js';
import { POSITION_WIDTH, LOG_START } from '#libs/kernel/event.js';
import { isAfter, parsePlace } from '#libs/features/inbox/views/inbox-places.js';
import { asEvents } from '../given.js';

const MUSE = 'agent_reader0000';
const at = (position: number) => String(position).padStart(POSITION_WIDTH, '0');

function read(upto: string, position: number) {
  const handedOut = InboxHandedOut({ muse_id: MUSE, after: '', upto, applications: [] });
  const [event] = asEvents([handedOut], Inbox.streamName(MUSE));
  return parsePlace(Inbox.evolve(Inbox.initial, { ...event!, position: at(position) }).upto);
}

test('a mark in the inbox keeps its position', () => {
  expect(read(`${at(7)} an item`, 9)).toEqual({ since: at(7), name: 'an item' });
  expect(read('', 9)).toEqual({ since: '', name: '' });
});

test('a mark with a larger position of another log keeps newer items unread', () => {
  const mark = read(`${at(48_000_000)} an item`, 9);
  const items = [LOG_START, at(8), at(9), at(10)].map(since => ({ since, name: 'an item' }));
  expect(items.map(item => isAfter(item, mark))).toEqual([false, false, false, true]);
});
