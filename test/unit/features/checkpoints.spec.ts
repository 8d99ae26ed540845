import { expect, test } from '@jest/globals';
import type { ReadModels } from '#libs/documents/read-models.js';
import { Checkpoints } from '#libs/features/events-feed/checkpoints.js';
import type { Issuer } from '#libs/issuer/issuer.js';
import { systemClock } from '#libs/kernel/clock.js';
import { MemoryCoordination } from '../../doubles/memory-coordination.js';

const text = (bytes: number) => Buffer.alloc(bytes).toString('base64url');

/** Checkpoints of an empty log; signatures are placeholders. */
function checkpointsAt(name: string, coordination: MemoryCoordination): Checkpoints {
  const models = { of: () => ({ get: async () => undefined }) } as unknown as ReadModels;
  const signText = async () => ({ kid: 'one', signature: text(64), publicKey: text(32) });
  return new Checkpoints(models, coordination, { name, signText } as unknown as Issuer, systemClock);
}

test('a service under a new address signs a new checkpoint', async () => {
  const coordination = new MemoryCoordination();
  const first = await checkpointsAt('https://jobs.example', coordination).newest();
  expect(first).toMatch(/^jobs\.example\n0\n/);
  expect(await checkpointsAt('https://jobs.example', coordination).newest()).toBe(first);
  const moved = checkpointsAt('https://work.example', coordination);
  expect(await moved.newest()).toMatch(/^work\.example\n0\n/);
});
