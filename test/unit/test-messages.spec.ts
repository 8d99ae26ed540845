import { expect, test } from '@jest/globals';
import { Connection } from '#libs/features/network/domain/connection.js';
import { connect } from '#libs/features/network/connect.js';
import { Muse } from '#libs/domain/muse.js';
import { asEvents, given, stateOf } from '../given.js';
import { POSTER, WORKER } from '../vectors/event-story.js';
import { leaksIn, privateValues } from '../world/private-values.js';
import { decides } from './features/deciding.js';
import * as world from './features/worlds.js';

const other = stateOf(Muse, world.registered, world.joined);
const NO_BLOCK = { hasBlocked: false, isBlocked: false };

test('an expected refusal fails with the decided events', () => {
  const decision = given(Connection).when(
    decides(connect, { to: WORKER }, POSTER, { reads: { other }, given: NO_BLOCK }),
  );
  expect(() => decision.thenRefused('not_found', 'to')).toThrow(/"decided": .*"type": "ConnectionRequested"/s);
});

test('an expected refusal fails with the code and field of another refusal', () => {
  const decision = given(Connection).when(
    decides(connect, { to: POSTER }, POSTER, { reads: { other }, given: NO_BLOCK }),
  );
  expect(() => decision.thenRefused('not_found', 'to')).toThrow(/"refused": "to"/);
});

test('a leaked private value is reported with its event type and field', () => {
  const events = asEvents([world.told('MessageSent', { text: 'For your eyes only' })]);
  const values = privateValues(events, events);
  expect(leaksIn('muses/m1', '{"bio":"for your eyes only"}', values)).toEqual([
    'muses/m1 shows For your eyes only, which is MessageSent.text',
  ]);
});
