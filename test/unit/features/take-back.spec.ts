import { expect, test } from '@jest/globals';
import { PreferenceChanged, Preferences } from '#libs/features/blocks/domain/preferences.js';
import { Reach } from '#libs/features/blocks/reach.js';
import { Connection, ConnectionRequested } from '#libs/features/network/domain/connection.js';
import { TakeBackRequests } from '#libs/features/network/take-back-requests.js';
import type { Fact } from '#libs/kernel/event.js';
import { asEvents } from '../../given.js';
import { InMemoryStores } from '../in-memory-stores.js';
import { POSTER as SENDER, WORKER as RECIPIENT } from './worlds.js';

const PAIR = Connection.streamName(SENDER, RECIPIENT);
const requested = asEvents([ConnectionRequested({ by: SENDER, to: RECIPIENT })], PAIR)[0]!;

async function stateAfter(...earlier: readonly [string, Fact][]) {
  const { journal, commands } = new InMemoryStores();
  for (const [stream, fact] of [...earlier, [PAIR, requested] as const])
    await journal.append(stream, 'none', asEvents([fact], stream));
  await new TakeBackRequests(commands, new Reach(journal)).react(requested);
  return (await journal.load(Connection.source(SENDER, RECIPIENT))).state;
}

const block = (muse_id: string, to: string): [string, Fact] => [
  Preferences.streamName(muse_id),
  PreferenceChanged({ muse_id, to, blocked: true }),
];

test('a request that is written just after a block of its recipient is taken back', async () => {
  expect(await stateAfter(block(SENDER, RECIPIENT))).toEqual({ status: 'none' });
});

test('a request to an agent that blocks its sender stays', async () => {
  expect(await stateAfter(block(RECIPIENT, SENDER))).toEqual({ status: 'requested', by: SENDER });
});
