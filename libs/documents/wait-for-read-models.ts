import { SECOND_MS } from '#libs/kernel/clock.js';
import type { Position } from '#libs/kernel/event.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import type { Projection } from '#libs/kernel/projection.js';
import type { ReadModels } from './read-models.js';

const REACH_MS = 10 * SECOND_MS;

/**
 * Returns the read models once they contain a position, for finding which streams to load. Throws `Unavailable` on
 * time-out or if a named projection stopped before.
 */
export async function waitForReadModels(
  models: ReadModels,
  position: Position,
  ...named: readonly Projection[]
): Promise<ReadModels> {
  const hasReached = await models.waitForPosition(position, REACH_MS);
  const areNamedReached = named.length === 0 || (await models.position(...named)) >= position;
  if (!hasReached || !areNamedReached) throw new Unavailable('The read models');
  return models;
}
