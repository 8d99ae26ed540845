import { SECOND_MS } from '#libs/kernel/clock.js';
import type { Position } from '#libs/kernel/event.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import type { Projection } from '#libs/kernel/projection.js';
import type { ReadModels } from './read-models.js';

/** How long whoever asks the documents where to look waits for them. */
const REACH_MS = 10 * SECOND_MS;

/**
 * The documents once they contain the log up to a position, for who asks them where in the log to look: what is decided
 * on is read there. Throws `Unavailable` where they do not come so far in time, or one that is named has stopped before.
 */
export async function waitForReadModels(
  models: ReadModels,
  position: Position,
  ...named: readonly Projection[]
): Promise<ReadModels> {
  const isThere = await models.waitForPosition(position, REACH_MS);
  const isWhole = named.length === 0 || (await models.position(...named)) >= position;
  if (!isThere || !isWhole) throw new Unavailable('The read models');
  return models;
}
