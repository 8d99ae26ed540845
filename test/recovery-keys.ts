import { RawAgent } from './raw-agent.js';
import { waitUntil } from './wait-until.js';
import type { World } from './world.js';

/** A key for an identity: its new key, or its recovery key. */
export function keyFor(world: World, museId: string): RawAgent {
  const key = new RawAgent(world.url, () => world.now());
  key.museId = museId;
  return key;
}

/** Fields that name a recovery key. */
export const naming = (key: RawAgent, museId = key.museId) => ({
  public_key: key.publicKey,
  proof: key.proof(`service-recovery-v1\n${museId}\n${key.publicKey}`),
});

/** Fields that bind a new key. */
export const binding = (key: RawAgent, museId = key.museId) => ({
  public_key: key.publicKey,
  proof: key.proof(`service-key-v1\n${museId}\n${key.publicKey}`),
});

export async function withRecoveryKey(world: World, name: string) {
  const owner = await world.raw(name);
  const recovery = keyFor(world, owner.museId);
  await owner.ok('recovery', naming(recovery));
  return { owner, recovery, next: keyFor(world, owner.museId) };
}

/** Waits until the service has bound a new key. */
export const isBound = (next: RawAgent) => waitUntil(async () => (await next.post('whoami')).status === 200);

export const refused = (status: number, code: string, field?: string) => ({
  status,
  body: { code, ...(field !== undefined && { field }) },
});
