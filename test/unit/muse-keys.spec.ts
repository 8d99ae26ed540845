import { expect, test } from '@jest/globals';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import { MemoryVault } from '../doubles/memory-vault.js';

const OTHERS = 60_000;

test('of more keys than are kept in memory, the one that is used again and again stays', async () => {
  const keys = new MuseKeys(new MemoryVault());
  for (let n = 0; n < OTHERS; n += 1) {
    await keys.forSealing(`agent_${n}`);
    await keys.forSealing('agent_busy');
  }
  expect([keys.cached('agent_busy')?.length, keys.cached('agent_0')]).toEqual([32, undefined]);
});
