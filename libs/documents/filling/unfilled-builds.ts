import type { EventLog } from '#libs/event-log/event-log.port.js';
import { type Position, LOG_START } from '#libs/kernel/event.js';
import type { ProjectionCheckpoint } from '../document-store.port.js';

/** What a look at live builds has found. */
export interface UnfilledBuilds<C extends ProjectionCheckpoint> {
  readonly unfilled: readonly C[];
  /** Names of the projections whose position the log does not hold. */
  readonly past: ReadonlySet<string>;
  /** The newest event's position, looked up behind the checkpoints: nobody has folded more than there was. */
  readonly head: Position;
}

/** The live builds that nobody can read yet, or any more, of those at these checkpoints. */
export async function findUnfilledBuilds<C extends ProjectionCheckpoint>(
  checkpoints: readonly C[],
  log: Pick<EventLog, 'head' | 'holds'>,
): Promise<UnfilledBuilds<C>> {
  const head = await log.head();
  const reached = new Set(checkpoints.map(({ position }) => position));
  const lost = new Set<Position>();
  for (const position of reached) if (!(await log.holds(position))) lost.add(position);
  const past = new Set(checkpoints.filter(({ position }) => lost.has(position)).map(({ name }) => name));
  const isUnfilled = ({ name, position, stopped }: C) =>
    past.has(name) || (position === LOG_START && stopped === null && head > LOG_START);
  return { unfilled: checkpoints.filter(isUnfilled), past, head };
}
