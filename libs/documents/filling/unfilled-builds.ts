import type { EventLog } from '#libs/event-log/event-log.port.js';
import { type Position, LOG_START } from '#libs/kernel/event.js';
import type { ProjectionCheckpoint } from '#libs/documents/document-store.port.js';

/** Returns the builds without content, and those at a position that the log does not hold (`isPast`). */
export async function findUnfilledBuilds<C extends ProjectionCheckpoint>(
  checkpoints: readonly C[],
  log: Pick<EventLog, 'head' | 'holds'>,
) {
  // Read after the checkpoints, so it is at least as far as they are.
  const head = await log.head();
  const missing = new Set<Position>();
  for (const position of new Set(checkpoints.map(each => each.position)))
    if (!(await log.holds(position))) missing.add(position);
  const unfilled = checkpoints
    .map(each => ({ ...each, isPast: missing.has(each.position) }))
    .filter(
      ({ position, stopped, isPast }) => isPast || (position === LOG_START && stopped === null && head > LOG_START),
    );
  return { unfilled, head };
}
