import type { EventLog } from '#libs/event-log/event-log.port.js';
import { type Position, LOG_START } from '#libs/kernel/event.js';
import type { ProjectionCheckpoint } from '../document-store.port.js';

export interface UnfilledBuilds<C extends ProjectionCheckpoint> {
  readonly unfilled: readonly C[];
  readonly past: ReadonlySet<string>;
  /** Read after the checkpoints, so it is at least as far as they are. */
  readonly head: Position;
}

export async function findUnfilledBuilds<C extends ProjectionCheckpoint>(
  checkpoints: readonly C[],
  log: Pick<EventLog, 'head' | 'holds'>,
): Promise<UnfilledBuilds<C>> {
  const head = await log.head();
  const positions = new Set(checkpoints.map(({ position }) => position));
  const missing = new Set<Position>();
  for (const position of positions) if (!(await log.holds(position))) missing.add(position);
  const past = new Set(checkpoints.filter(({ position }) => missing.has(position)).map(({ name }) => name));
  const isUnfilled = ({ name, position, stopped }: C) =>
    past.has(name) || (position === LOG_START && stopped === null && head > LOG_START);
  return { unfilled: checkpoints.filter(isUnfilled), past, head };
}
