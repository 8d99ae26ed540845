import { afterEach, expect, test } from '@jest/globals';
import { sweepChore } from '#libs/platform/coordination/sweep-chore.js';
import { DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import type { Stores } from '#libs/setup/stores.js';
import { MemoryCoordination } from '../doubles/memory-coordination.js';
import { newIdempotencyKey } from '../raw-agent.js';
import { World } from '../world.js';
import { until } from './documents/bench.js';

const NOW = 1_700_000_000_000;
/** More entries than one sweep removes. */
const ENTRIES = 2_500;

let world: World | undefined;
afterEach(() => world?.stop());

test('removes exactly the expired entries in one pass', async () => {
  const state = new MemoryCoordination();
  for (let n = 0; n < ENTRIES; n += 1) await state.putIfAbsent(`nonce/${n}`, '', NOW, NOW - 1);
  await state.putIfAbsent('nonce/alive', 'value', NOW + 1, NOW - 1);
  await sweepChore(state, { now: () => NOW }).run();
  expect([await state.sweep(NOW, ENTRIES), await state.get('nonce/alive', NOW)]).toEqual([0, 'value']);
});

test('a service removes expired nonces and responses of an earlier run', async () => {
  world = await World.start();
  const agent = await world.raw('keeper');
  await agent.post('profile', { bio: 'Kept.' }, { 'idempotency-key': newIdempotencyKey() });
  await world.advance(DAY_MS + HOUR_MS);
  let swept = 0;
  const counting = (stores: Stores): Stores => {
    const { coordination } = stores;
    const sweep = coordination.sweep.bind(coordination);
    coordination.sweep = async (...args) => {
      const count = await sweep(...args);
      swept += count;
      return count;
    };
    return stores;
  };
  await world.restart({ stores: counting });
  await until(() => swept > 0);
  expect(await world.service.stores.coordination.sweep(world.now(), ENTRIES)).toBe(0);
});
